from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import SpecError
from lydite.spec import Spec, Value, parse

_TRICKY = st.sampled_from(
    [
        "true",
        "none",
        "50",
        "-1.5e3",
        "1e999",
        "",
        " ",
        "a=b",
        "x?a=b&c=d",
        "a(b)",
        'a"b',
        "\\n",
        "\\",
    ]
)
_TEXT = st.text(max_size=12) | st.text('(),="\\\n\r\t ab1.', max_size=12) | _TRICKY
_KEYS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True)
_PLAIN = (
    _TEXT
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.none()
)


def _specs(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Spec]:
    return st.builds(
        Spec,
        _TEXT.filter(bool),
        st.lists(values, max_size=3).map(tuple),
        st.dictionaries(_KEYS, values, max_size=3).map(lambda params: tuple(params.items())),
    )


SPECS = _specs(st.recursive(_PLAIN, _specs, max_leaves=8))


def _typed(value: Value) -> object:
    """Tell 1 from 1.0 and from true, which Python holds to be equal."""
    if isinstance(value, Spec):
        return (
            value.name,
            [_typed(arg) for arg in value.args],
            [(key, _typed(each)) for key, each in value.params],
        )
    return type(value), repr(value)


@given(SPECS)
def test_what_is_written_is_read_back(spec: Spec) -> None:
    again = parse(str(spec))
    assert again == spec
    assert _typed(again) == _typed(spec)


@given(SPECS)
def test_the_canonical_form_is_stable(spec: Spec) -> None:
    assert str(parse(str(spec))) == str(spec)


@given(SPECS)
def test_a_spec_is_one_line(spec: Spec) -> None:
    assert not {"\n", "\r"} & set(str(spec))


@given(st.text('(),="\\\n ab1.-', max_size=30))
def test_any_text_is_a_spec_or_a_spec_error(text: str) -> None:
    try:
        spec = parse(text)
    except SpecError:
        return
    assert parse(str(spec)) == spec
