"""The Anaphora Resolution Exercise (Orăsan et al. 2008): its data made, its tasks scored and run.

1  pronouns among given entities      success rate
2  chains of given entities           MUC
3  pronouns in raw text               precision, recall and F1, weighted by overlap
4  chains in raw text                 MUC, weighted by overlap
"""
