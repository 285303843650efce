"""Who is who: a published name to the model it stands for and the setting that the name itself carries."""
