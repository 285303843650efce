"""The only package that touches the network: address to payload to raw rows to results and rejections."""
