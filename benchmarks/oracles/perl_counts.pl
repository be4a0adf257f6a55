# What the reference scorer counts in each document, with all its digits:
#   perl -I PEERS/perl/lib perl_counts.pl KEY RESPONSE METRIC …
# One line a document and metric: name, metric, the counts, and for BLANC the score.
# The scorer's counter of repeated mentions is set to 0 before every document, as it would
# otherwise refuse the eleventh of the whole run.
use strict;
use warnings;

my $out;
BEGIN {
  open($out, '>&', \*STDOUT) or die;
  open(STDOUT, '>', '/dev/null') or die;
}
use CorScorer;

my ($key, $response, @metrics) = @ARGV;
my $places = CorScorer::GetFileNames($key);
my $answers = CorScorer::GetFileNames($response);
for my $name (sort keys %$places) {
  $main::repeated_mentions = 0;
  my %found = (recallNum => 0, recallDen => 0, precisionNum => 0, precisionDen => 0);
  my $expected = CorScorer::GetCoreference($key, -1, $name, $places->{$name});
  my $answered = CorScorer::GetCoreference($response, -1, $name, $answers->{$name});
  my @chains = CorScorer::IdentifMentions($expected, $answered, \%found);
  show($name, 'mentions', @found{qw(recallNum recallDen precisionNum precisionDen)});
  for my $metric (@metrics) {
    show($name, $metric, CorScorer::Eval($metric, @chains));
  }
  my @links = CorScorer::BLANC_Internal(@chains[4, 5]);
  my @counts = @links[0, 1, 3, 4, 5, 7];
  show($name, 'blanc', @counts, CorScorer::ComputeBLANCFromCounts(@counts));
}

sub show {
  my ($name, $metric, @values) = @_;
  print $out join("\t", $name, $metric, map { sprintf('%.17g', $_) } @values), "\n";
}
