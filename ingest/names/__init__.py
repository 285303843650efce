"""From a published name to the model that it means and the setting that the name itself carries."""
