-- The name of the API key that it was sent with, as it was then.
alter table statements add column key_name text;
