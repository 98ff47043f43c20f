-- Roles that people make. Built-in ones are the same everywhere and stand in the contract.
create table roles (
  account_id text not null references accounts on delete cascade,
  name text not null,
  comment text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, name)
);
create unique index roles_account_id_lower_name on roles (account_id, lower(name));

-- `role` inherits `granted`, which may be built in.
create table role_roles (
  account_id text not null,
  role text not null,
  granted text not null,
  granted_by text not null,
  granted_at timestamptz not null,
  primary key (account_id, role, granted),
  foreign key (account_id, role) references roles on delete cascade,
  check (role <> granted)
);
create index role_roles_granted on role_roles (account_id, granted);

create index user_roles_role on user_roles (role, user_id);

-- What a user or a role may do with an object, or with all of a kind: an empty part stands for every name. `name` is
-- the id of a warehouse, and the name of anything else.
create table grants (
  grant_id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid references users on delete cascade,
  role text,
  object_type text not null,
  catalog text not null,
  database text not null,
  name text not null,
  privileges text[] not null check (cardinality(privileges) > 0),
  grantable text[] not null check (grantable <@ privileges),
  granted_by text not null,
  granted_at timestamptz not null,
  check ((user_id is null) <> (role is null))
);
create unique index grants_to_user on grants
  (user_id, object_type, lower(catalog), lower(database), lower(name));
create unique index grants_to_role on grants
  (account_id, role, object_type, lower(catalog), lower(database), lower(name));
create index grants_object on grants (account_id, object_type, lower(catalog), lower(database), lower(name));

create function forget_warehouse_grants() returns trigger language plpgsql
  set search_path from current as $$
begin
  delete from grants where account_id = old.account_id and object_type = 'warehouse'
    and lower(catalog) = '' and lower(database) = '' and lower(name) = old.warehouse_id::text;
  return null;
end
$$;
create trigger warehouse_grants_forgotten after delete on warehouses
  for each row execute function forget_warehouse_grants();

-- One number for each account, raised with every change of what its users are and may do. What is remembered of one
-- account holds when another changes.
drop trigger identity_changed on organisations;
drop trigger identity_changed on accounts;
drop trigger identity_changed on users;
drop trigger identity_changed on user_roles;
drop trigger identity_changed on logins;
drop function raise_identity_version();
drop table identity_version;

create table identity_versions (
  account_id text primary key references accounts on delete cascade,
  version bigint not null
);
insert into identity_versions (account_id, version) select account_id, 1 from accounts;

create function begin_identity_version() returns trigger language plpgsql
  set search_path from current as $$
begin
  insert into identity_versions (account_id, version) values (new.account_id, 1);
  return null;
end
$$;
create trigger identity_began after insert on accounts
  for each row execute function begin_identity_version();

-- Locked in the order of their ids, so that two changes of several accounts do not wait for each other.
create function raise_identity_versions(changed text[]) returns void language sql
  set search_path from current as $$
  update identity_versions set version = version + 1 where account_id in
    (select account_id from identity_versions where account_id = any(changed) order by account_id for no key update)
$$;

create function identity_of_account_changed() returns trigger language plpgsql
  set search_path from current as $$
begin
  perform raise_identity_versions(array(select distinct account_id from changed));
  return null;
end
$$;

create function identity_of_user_changed() returns trigger language plpgsql
  set search_path from current as $$
begin
  perform raise_identity_versions(array(select distinct users.account_id from changed join users using (user_id)));
  return null;
end
$$;

create function identity_of_organisation_changed() returns trigger language plpgsql
  set search_path from current as $$
begin
  perform raise_identity_versions(
    array(select account_id from accounts join changed using (organisation_id)));
  return null;
end
$$;

create trigger identity_changed after update on organisations referencing new table as changed
  for each statement execute function identity_of_organisation_changed();
create trigger identity_changed after update on accounts referencing new table as changed
  for each statement execute function identity_of_account_changed();

create trigger identity_changed_insert after insert on users referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_update after update on users referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_delete after delete on users referencing old table as changed
  for each statement execute function identity_of_account_changed();

-- Those that go with their user are the user's change.
create trigger identity_changed_insert after insert on user_roles referencing new table as changed
  for each statement execute function identity_of_user_changed();
create trigger identity_changed_update after update on user_roles referencing new table as changed
  for each statement execute function identity_of_user_changed();
create trigger identity_changed_delete after delete on user_roles referencing old table as changed
  for each statement execute function identity_of_user_changed();

-- Not when one begins or is used: both happen all the time, and change nobody.
create trigger identity_changed_delete after delete on logins referencing old table as changed
  for each statement execute function identity_of_account_changed();
create function identity_of_login_changed() returns trigger language plpgsql
  set search_path from current as $$
begin
  perform raise_identity_versions(array[old.account_id]);
  return null;
end
$$;
create trigger identity_changed_update after update of user_id, account_id, expires_at on logins
  for each row execute function identity_of_login_changed();

create trigger identity_changed_insert after insert on roles referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_delete after delete on roles referencing old table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_insert after insert on role_roles referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_delete after delete on role_roles referencing old table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_insert after insert on grants referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_update after update on grants referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_delete after delete on grants referencing old table as changed
  for each statement execute function identity_of_account_changed();

-- The privileges that a statement asked for: whoever sees its rows again must hold them then too. 'all' stands for
-- everything with all data; null, of before, for the same.
alter table statements add column needed jsonb;
