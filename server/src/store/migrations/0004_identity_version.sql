-- Goes up with every change of what users are and may do. Whoever remembers that with the version it was read at
-- needs one number to know that it still holds.

create table identity_version (
  single boolean primary key default true check (single),
  version bigint not null
);
insert into identity_version (version) values (1);

create function raise_identity_version() returns trigger language plpgsql
  set search_path from current as $$
begin
  update identity_version set version = version + 1;
  return null;
end
$$;

create trigger identity_changed after insert or update or delete or truncate on organisations
  for each statement execute function raise_identity_version();
create trigger identity_changed after insert or update or delete or truncate on accounts
  for each statement execute function raise_identity_version();
create trigger identity_changed after insert or update or delete or truncate on users
  for each statement execute function raise_identity_version();
create trigger identity_changed after insert or update or delete or truncate on user_roles
  for each statement execute function raise_identity_version();
-- Not when one begins or is used: both happen all the time, and change nobody.
create trigger identity_changed after delete or truncate or update of user_id, account_id, expires_at on logins
  for each statement execute function raise_identity_version();
