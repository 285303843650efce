"""What programs are told of addresses and of pages: OpenAPI with its parameters, oEmbed, and schema.org."""
