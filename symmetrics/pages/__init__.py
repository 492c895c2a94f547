"""What people look at: tables, reports, scores of files, explanations.  No mathematics is done here."""
