-- An organisation may have accounts in other regions. The server of a region has what is in an account; the central one
-- has a row for it, so that names, limits, bills and states of an organisation are in one place.
alter table accounts add column held_elsewhere boolean not null default false;

-- On the server of a region: the central one makes its bills.
alter table organisations add column held_by_central boolean not null default false;

-- On the central server: what a region needs to open an account, and the states that both agreed on last. A row of
-- accounts that differs from them is an order to the region.
create table regional_accounts (
  account_id text primary key references accounts on delete cascade,
  admin_email text not null,
  invited_by text not null,
  -- Null until the region has opened the account.
  agreed_state smallint,
  agreed_shell_state smallint,
  agreed_edition text,
  asked_at timestamptz
);
create index regional_accounts_asked_at on regional_accounts (asked_at);
