-- What an account keeps, newest first, and how much it is: asked before every download and once a minute.
create index statements_kept on statements (account_id, result_expires_at) include (query_id, result_bytes)
  where result_state = 'kept';
