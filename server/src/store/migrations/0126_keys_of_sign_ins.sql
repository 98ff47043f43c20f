-- The name of the API key that somebody came in with.
alter table sign_ins add column key_name text;
