-- Whose a statement is, is told by its id: with that, the index alone says how far was looked through those of one user.
drop index statements_of_user;
create index statements_of_user on statements (account_id, user_name, accepted_at desc, query_id desc) include (user_id)
  where visible;
