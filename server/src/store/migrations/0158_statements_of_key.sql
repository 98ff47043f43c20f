-- The history of one API key, newest first. Most statements are sent without one.
create index statements_of_key on statements (account_id, key_name, accepted_at desc, query_id desc)
  where visible and key_name is not null;
