-- Who asked for an account; it is opened when the address is confirmed.

create table sign_ups (
  sign_up_id uuid primary key,
  -- Lower case: letter case makes no other address.
  email text not null,
  first_name text not null,
  last_name text not null,
  company text not null,
  country text not null,
  password_hash text not null,
  -- The customer and what it is entitled to, where a marketplace sent them.
  marketplace_customer text,
  created_at timestamptz not null,
  account_id text references accounts on delete cascade
);
create index sign_ups_created_at on sign_ups (created_at) where account_id is null;
create index sign_ups_account_id on sign_ups (account_id);
-- Of several that were asked for with one address, or by one customer, the first that is confirmed is opened.
create unique index sign_ups_opened_email on sign_ups (email) where account_id is not null;
create unique index sign_ups_opened_customer on sign_ups (marketplace_customer)
  where account_id is not null and marketplace_customer is not null;
