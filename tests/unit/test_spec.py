import enum

import numpy as np
import pytest

from lydite.errors import SpecError
from lydite.spec import Spec, Value, parse, write_parameters, write_value


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("glove-6b-50d", Spec("glove-6b-50d")),
        ("usem3()", Spec("usem3")),
        ("usem3( )", Spec("usem3")),
        ("  usem3 ", Spec("usem3")),
        ("mean (vectors.txt)", Spec("mean", ("vectors.txt",))),
        (
            "hybrid(overlap, mean(glove-6b-50d))",
            Spec("hybrid", ("overlap", Spec("mean", ("glove-6b-50d",)))),
        ),
        (
            "nonce2vec(background=mean(g.txt), alpha=0.1)",
            Spec("nonce2vec", (), (("background", Spec("mean", ("g.txt",))), ("alpha", 0.1))),
        ),
        ("f(usem3())", Spec("f", (Spec("usem3"),))),
        ("f(a = b)", Spec("f", (), (("a", "b"),))),
        ("f(one two, x)", Spec("f", ("one two", "x"))),
        ('"my file.txt"', Spec("my file.txt")),
        ('"my model"(3)', Spec("my model", (3,))),
        ("50", Spec("50")),
        ("true", Spec("true")),
        ("日本語(猫)", Spec("日本語", ("猫",))),
    ],
)
def test_parse(text: str, spec: Spec) -> None:
    assert parse(text) == spec
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8080/v1",
        "https://host/v1?a=b&c=d",
        "https://user:pass@host:443/v1/?key=1#part",
        "/data/two words/vectors.txt",
        "~/vectors.txt.gz",
        r"C:\data\new\vectors.txt",
        r"\\server\share\x.vec",
    ],
)
def test_paths_and_addresses_need_no_quotes(address: str) -> None:
    assert parse(f"endpoint({address}, model=bge-small)").args == (address,)
    assert parse(f"endpoint(url={address})").param("url") == address
    assert parse(address) == Spec(address)


@pytest.mark.parametrize("path", ["a(b).txt", "a,b.txt", 'a"b.txt', "k=v.txt", " x ", "a\nb", ""])
def test_other_paths_are_put_in_quotes(path: str) -> None:
    written = str(Spec("mean", (path,)))
    assert written.startswith('mean("')
    assert parse(written).args == (path,)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        ("007", 7),
        ("3.0", 3.0),
        ("3.", 3.0),
        (".5", 0.5),
        ("-1e-05", -1e-05),
        ("1E5", 100000.0),
        ("true", True),
        ("false", False),
        ("none", None),
        ('"3"', "3"),
        ('"true"', "true"),
        ('""', ""),
        ("True", "True"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("٣", "٣"),
        ("1e", "1e"),
        ("inf", "inf"),
        ("nan", "nan"),
        ("-", "-"),
    ],
)
def test_a_value_has_one_type(text: str, value: Value) -> None:
    (found,) = parse(f"f({text})").args
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a model or an evaluation, got an empty text"),
        ("  ", "expected a model or an evaluation, got an empty text"),
        ('""', "expected a name, got an empty text in quotes"),
        ('f(""(1))', "expected a name, got an empty text in quotes"),
        ("mean(glove", "mean(glove: expected ',' or ')' at column 11, got the end"),
        ("mean(glove))", "mean(glove)): expected the end of the spec at column 12, got ')'"),
        ("mean(glove) x", "mean(glove) x: expected the end of the spec at column 13, got 'x'"),
        ("a,b", "a,b: expected the end of the spec at column 2, got ','"),
        ("mean(,)", "mean(,): expected a value at column 6, got ','"),
        ("mean(a,)", "mean(a,): expected a value at column 8, got ')'"),
        ("mean(a=)", "mean(a=): expected a value at column 8, got ')'"),
        ("(a)", "(a): expected a value at column 1, got '('"),
        ('mean(a"b")', "mean(a\"b\"): expected ',' or ')' at column 7, got '\"'"),
        ('mean("a', "mean(\"a: expected a closing quote at column 6, got '\"'"),
        ('mean("a\\', "mean(\"a\\: expected a closing quote at column 6, got '\"'"),
        (
            "mean(k=1, b)",
            "mean(k=1, b): expected key=value after the first key=value at column 11, got 'b'",
        ),
        ("mean(k=1, k=2)", "mean(k=1, k=2): the parameter 'k' is given twice"),
        ("f(1e999)", "expected a number of ordinary size, got 1e999"),
        ("f(" + "9" * 5000 + ")", "expected a number of ordinary size, got " + "9" * 40),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(text)
    assert caught.value.message == message


def test_whole_numbers_are_exact_up_to_300_digits() -> None:
    assert parse("f(" + "9" * 300 + ")").args == (10**300 - 1,)
    with pytest.raises(SpecError, match="of ordinary size"):
        parse("f(" + "9" * 301 + ")")


def test_the_hint_speaks_of_quotes() -> None:
    with pytest.raises(SpecError) as caught:
        parse("mean(a(b).txt)")
    assert caught.value.hint == 'put quotes around a path that holds one of ( ) , " ='


def test_a_lone_backslash_within_quotes_is_refused_not_lost() -> None:
    with pytest.raises(SpecError) as caught:
        parse(r'mean("C:\data (2)\x.txt")')
    assert caught.value.message.endswith(
        r"""expected one of \ " n r after a backslash at column 10, got 'd'"""
    )
    assert "written twice" in str(caught.value.hint)


def test_escapes_within_quotes() -> None:
    assert parse(r'f("a\"b\\c\nd\re")').args == ('a"b\\c\nd\re',)


def _nested(depth: int) -> str:
    return "f(" * depth + "x" + ")" * depth


def test_nesting_ends_at_fifty() -> None:
    deep = parse(_nested(50))
    assert str(deep) == _nested(50)
    with pytest.raises(SpecError, match="a spec may be nested 50 deep, this one is deeper"):
        parse(_nested(51))


def test_a_very_deep_text_is_an_error_not_a_crash() -> None:
    with pytest.raises(SpecError, match="50 deep"):
        parse(_nested(100_000))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_there_is_no_way_to_write_a_number_that_is_not_finite(value: float) -> None:
    with pytest.raises(SpecError, match=r"a finite number.*got -?(nan|inf)"):
        str(Spec("f", (value,)))


@pytest.mark.parametrize("key", ["a b", "", "1a", "a=", "ä"])
def test_a_key_that_could_not_be_read_back_is_not_written(key: str) -> None:
    with pytest.raises(SpecError, match="expected a parameter of letters, digits and _"):
        str(Spec("f", (), ((key, 1),)))


class _Metric(enum.StrEnum):
    COSINE = "cosine"


class _Size(enum.IntEnum):
    SMALL = 3


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (np.float64(0.1), "0.1"),
        (_Metric.COSINE, "cosine"),
        (_Size.SMALL, "3"),
        (1e16, "1e+16"),
        (-0.0, "-0.0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (Spec("usem3"), "usem3()"),
    ],
)
def test_write_value(value: Value, written: str) -> None:
    assert write_value(value) == written


def test_other_objects_are_no_arguments() -> None:
    with pytest.raises(SpecError, match=r"got \[1, 2\]"):
        write_value([1, 2])  # type: ignore[arg-type]


def test_param_returns_the_value_or_the_default() -> None:
    spec = parse("f(a=1)")
    assert spec.param("a") == 1
    assert spec.param("b") is None
    assert spec.param("b", 2) == 2


def test_order_of_parameters_is_kept() -> None:
    assert write_parameters("f", {"b": 1, "a": None}) == "f(b=1, a=none)"
