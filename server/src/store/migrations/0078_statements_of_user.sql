-- Statements of one user lie far apart: to look through a thousand of them, a thousand pages were read. With what the
-- list is narrowed by in the index itself, it is some twenty.
drop index statements_of_user;
create index statements_of_user on statements (account_id, user_name, accepted_at desc, query_id desc)
  include (user_id, state, door, warehouse_id, ended_at)
  where visible;
