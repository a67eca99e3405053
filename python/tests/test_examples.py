"""Every public item has a description with an example, and the examples run."""

import doctest
import importlib
import inspect
import pkgutil

import pytest
from conftest import example_names

import graphcap

MODULES = sorted(
    f"graphcap.{found.name}" for found in pkgutil.iter_modules(graphcap.__path__) if not found.name.startswith("_") and found.name != "raw"
) + ["graphcap", "graphcap.raw", "graphcap.__main__", "graphcap._base"]

OTHERS = {"graphcap.cupy", "graphcap.torch", "graphcap.triton"}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    module = pytest.importorskip(name) if name in OTHERS else importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for test in finder.find(module, name, extraglobs=example_names()):
        runner.run(test)
    assert runner.summarize().failed == 0


def test_the_examples_of_methods_in_rust():
    for kind in (graphcap.Stream, graphcap.GraphExec):
        for method in ("launch", "replay"):
            found = getattr(kind, method, None)
            if found is not None:
                test = doctest.DocTestParser().get_doctest(inspect.cleandoc(found.__doc__), example_names(), method, None, 0)
                assert test.examples
                assert doctest.DocTestRunner().run(test).failed == 0


def items():
    for name in graphcap.__all__:
        item = getattr(graphcap, name)
        if inspect.ismodule(item):
            continue
        yield name, item
        if inspect.isclass(item):
            for inner, value in vars(item).items():
                if not inner.startswith("_") and (callable(value) or isinstance(value, property | classmethod)):
                    yield f"{name}.{inner}", value


@pytest.mark.parametrize(("name", "item"), list(items()), ids=[name for name, _ in items()])
def test_an_item_has_an_example(name, item):
    text = inspect.getdoc(item.fget if isinstance(item, property) else item) or ""
    assert text, f"{name} has no description"
    is_error = inspect.isclass(item) and issubclass(item, BaseException)
    if not is_error or name == "Error":
        assert ">>>" in text, f"{name} has no example"
