"""Item response theory: how right answers depend on how strong who answers is, and on the item."""
