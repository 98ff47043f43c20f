-- A user without a person: programs come in with its API keys, and nothing else lets anybody in.
alter table users add column is_service boolean not null default false;
alter table users add constraint service_users_have_no_password
  check (not is_service or (password_hash is null and email is null and native_credential is null));

create table api_keys (
  -- The first characters of its secret.
  key_id text primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  name text not null,
  -- Those of its user that it may use; null: all that its user has.
  roles text[],
  doors text[] not null,
  -- Addresses and ranges, commas between them; empty: all.
  addresses text not null,
  expires_at timestamptz,
  -- SHA256(SHA256(secret)).
  secret_hash bytea not null,
  -- Of the secret before the last rotation.
  former_hash bytea,
  former_until timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  rotated_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  last_used_door text,
  last_used_program text
);
create unique index api_keys_of_user on api_keys (user_id, lower(name));
create index api_keys_of_account on api_keys (account_id);

-- Not when one is made or used: both change nobody who is here.
create trigger identity_changed_update
  after update of roles, doors, addresses, expires_at, secret_hash, former_hash, former_until on api_keys
  for each row execute function identity_of_login_changed();
create trigger identity_changed_delete after delete on api_keys referencing old table as changed
  for each statement execute function identity_of_account_changed();
