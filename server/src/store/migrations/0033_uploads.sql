-- Files that are handed over in parts, to be loaded. The bytes lie in the account's directory, under the upload's id.
create table uploads (
  upload_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Whoever has the code can send parts: only its hash is kept.
  code_hash bytea not null unique,
  name text not null,
  -- Reserved as a whole before the first part.
  size_bytes bigint not null check (size_bytes > 0),
  part_bytes integer not null check (part_bytes > 0),
  fingerprint text not null,
  -- What an engine has found in it, and how it reads it.
  inspection jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index uploads_account_id on uploads (account_id);
create index uploads_expires_at on uploads (expires_at);
create index uploads_user_id on uploads (user_id, name);

create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  part integer not null check (part >= 0),
  received_at timestamptz not null,
  primary key (upload_id, part)
);
