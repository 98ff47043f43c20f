-- Reads that have just been accepted. To write one into the history means to open eighteen indexes, and most reads have ended
-- by the time that is done. They are written here first, by one index, and moved into the history together, most of them
-- with their ends. What a server leaves here when it ends is moved by the next one.
create table statement_journal (
  query_id uuid primary key,
  account_id text not null,
  -- As of when it was accepted: a catalog may be renamed before the row is moved.
  catalog_id text not null,
  -- The row of the history as JSON.
  accepted text not null
);

create or replace function forget_statements() returns trigger language plpgsql
  set search_path from current as $$
begin
  delete from statement_journal where account_id = old.account_id;
  delete from statements where account_id = old.account_id;
  delete from statement_usage where account_id = old.account_id;
  return null;
end
$$;

-- What comes from the journal with its end was sent by a program that gives its requests no id: nobody sends it again.
drop trigger statements_once on statements;
create trigger statements_once before insert on statements
  for each row when (new.door <> 'mysql' or new.state in ('accepted', 'running'))
  execute function refuse_written_request();
