from concurrent.futures import ThreadPoolExecutor

import pytest

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import users
from corefbench.campaign.storage.audit import list_audit_entries
from corefbench.campaign.storage.users import assign_pseudonyms, get_pseudonyms
from corefbench.errors import UsageError
from tests.campaign import START, enter


def register(platform: Platform, email: str, team: str) -> users.User:
    with platform.database.write() as connection:
        return users.register_team(
            connection,
            email=email,
            name="Ada",
            password_hash="hash",
            team_name=team,
            affiliation="",
            now=START,
            approved=False,
        )


def test_who_registers_founds_a_team_that_waits_for_approval(platform: Platform) -> None:
    ada = register(platform, " Ada@Example.org ", "Engines")
    with platform.database.read() as connection:
        assert users.get_user_by_email(connection, "ADA@example.org") == ada
        assert users.get_user_by_email(connection, ada.email) == ada
        assert users.get_password_hash(connection, ada.id) == "hash"
        team = users.get_team(connection, ada.team or "")
    assert (ada.email, ada.organiser, ada.created) == ("ada@example.org", False, START)
    assert team is not None
    assert (team.name, team.state, team.created) == ("Engines", "applied", START)


def test_others_join_with_the_code_of_the_team(platform: Platform) -> None:
    ada = register(platform, "ada@example.org", "Engines")
    with platform.database.write() as connection:
        team = users.get_team(connection, ada.team or "")
        assert team is not None
        joined = {"name": "Bob", "password_hash": "", "now": START}
        bob = users.join_team(connection, email="bob@example.org", code=team.code, **joined)
        assert users.list_users(connection, team.id) == sorted([ada, bob], key=lambda one: one.id)
        with pytest.raises(UsageError, match="CB312"):
            users.join_team(connection, email="eve@example.org", code="guess", **joined)


@pytest.mark.parametrize(("email", "team"), [("ADA@example.org", "Others"), ("eve@example.org", "eNGINES")])
def test_addresses_and_names_are_taken_once(platform: Platform, email: str, team: str) -> None:
    register(platform, "ada@example.org", "Engines")
    with pytest.raises(UsageError, match="CB317"):
        register(platform, email, team)
    with platform.database.read() as connection:
        assert len(users.list_users(connection)) == len(users.list_teams(connection)) == 1


def test_no_team_takes_the_pseudonym_of_another(platform: Platform) -> None:
    ada = register(platform, "ada@example.org", "Engines")
    with platform.database.write() as connection:
        assign_pseudonyms(connection, {(ada.team or "", "training")})
        called = get_pseudonyms(connection)[ada.team or "", "training"]
    with pytest.raises(UsageError, match="CB317"):
        register(platform, "eve@example.org", called.upper())


def test_of_those_who_register_at_once_under_one_name_one_is_taken(platform: Platform) -> None:
    def attempt(number: int) -> bool:
        try:
            register(platform, f"{number}@example.org", "Engines")
        except UsageError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_pseudonyms_differ(platform: Platform) -> None:
    for number in range(40):
        register(platform, f"{number}@example.org", f"Team {number}")
    with platform.database.write() as connection:
        wanted = {(team.id, p) for team in users.list_teams(connection) for p in ("training", "test")}
        assign_pseudonyms(connection, wanted)
        first = get_pseudonyms(connection)
        assign_pseudonyms(connection, wanted)
        assert get_pseudonyms(connection) == first
    assert set(first) == set(wanted)
    assert len(set(first.values())) == 80
    assert not any("team" in name.lower() for name in first.values())


def test_approval_is_in_the_audit_log_once(platform: Platform) -> None:
    ada = enter(platform, approved=False)
    for _ in range(2):
        with platform.database.write() as connection:
            users.set_team_state(connection, ada.team or "", "approved", person=None, now=START)
    with platform.database.read() as connection:
        log = [(entry.action, entry.subject) for entry in list_audit_entries(connection)]
        assert users.list_teams(connection)[0].state == "approved"
    assert log == [("team approved", ada.team)]


def test_organisers_have_no_team(platform: Platform) -> None:
    with platform.database.write() as connection:
        boss = users.create_organiser(connection, email="o@example.org", name="O", password_hash="", now=START)
    assert boss.organiser
    assert boss.team is None
