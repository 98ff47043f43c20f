-- Whom an issuer calls by which subject. Only an act of the user makes one, and it ends with the issuer or the client that
-- it was made at: nobody who was bound by an address alone stays so.
create table sso_bindings (
  user_id uuid primary key references users on delete cascade,
  account_id text not null references accounts on delete cascade,
  issuer text not null,
  subject text not null,
  bound_at timestamptz not null,
  unique (account_id, issuer, subject)
);
drop index users_account_id_sso_subject;
alter table users drop column sso_subject;

-- Set where somebody who is signed in connects their user.
alter table sso_requests add column user_id uuid references users on delete cascade;
create index sso_requests_user_id on sso_requests (user_id);

-- Somebody came from the issuer with the address of a user. It becomes a binding once the link that was mailed to that
-- address is opened in the browser that began.
create table sso_confirmations (
  confirmation_id uuid primary key,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  client_id text not null,
  subject text not null,
  expires_at timestamptz not null
);
create unique index sso_confirmations_user_id on sso_confirmations (user_id);
create index sso_confirmations_account_id on sso_confirmations (account_id);
create index sso_confirmations_expires_at on sso_confirmations (expires_at);
