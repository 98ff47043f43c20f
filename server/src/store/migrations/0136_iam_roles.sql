-- Roles of AWS that the catalogs of an account may use.
create table iam_roles (
  account_id text not null references accounts on delete cascade,
  role_arn text not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, role_arn)
);

-- What the trust policy of a role asks for. Nobody chooses it, so that nobody uses a role that was meant for another
-- account.
create table iam_external_ids (
  account_id text primary key references accounts on delete cascade,
  external_id text not null
);
