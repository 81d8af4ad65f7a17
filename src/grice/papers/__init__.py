"""One declarative module a paper."""
