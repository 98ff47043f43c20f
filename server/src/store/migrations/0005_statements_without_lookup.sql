-- A statement is written down before it runs, and looking its account up once more took a sixth of that time. Whoever
-- sends it was found in the account at this version of identities: the insert answers which.

alter table statements drop constraint statements_account_id_fkey;

create function forget_statements() returns trigger language plpgsql
  set search_path from current as $$
begin
  delete from statements where account_id = old.account_id;
  return null;
end
$$;

create trigger statements_forgotten after delete on accounts
  for each row execute function forget_statements();
