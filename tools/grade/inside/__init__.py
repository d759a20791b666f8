"""What runs inside the sandbox: it finds an answer in a submission and calls it. Knows no solutions and no marks."""
