create table sso_settings (
  account_id text primary key references accounts on delete cascade,
  issuer text not null,
  client_id text not null,
  -- Sealed.
  client_secret text not null,
  enabled boolean not null,
  updated_at timestamptz not null
);

-- Somebody who is at the issuer's now. Deleted when they come back: each is good once.
create table sso_requests (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  account_id text not null references accounts on delete cascade,
  state text not null,
  nonce text not null,
  -- Sealed.
  code_verifier text not null,
  expires_at timestamptz not null
);
create index sso_requests_account_id on sso_requests (account_id);
create index sso_requests_expires_at on sso_requests (expires_at);

-- Issuer and subject with which the user signed in first: an address that is given to somebody else opens nothing.
alter table users add column sso_subject text;
create unique index users_account_id_sso_subject on users (account_id, sso_subject) where sso_subject is not null;
