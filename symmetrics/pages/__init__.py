"""What people look at: tables, reports, scores of files, explanations; no mathematics is done here."""
