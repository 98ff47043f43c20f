-- Organisations that pay through a marketplace: who they are there, and how much of what they owe was put into records.
create table marketplace_subscriptions (
  organisation_id uuid primary key references organisations on delete cascade,
  marketplace text not null,
  customer text not null,
  product text not null,
  began_at timestamptz not null,
  metered_units numeric(30) not null default 0,
  unique (marketplace, customer, product)
);

-- One for an hour and a dimension. It is written before it is sent, and sent with the same content until it is answered.
create table marketplace_records (
  record_id uuid primary key,
  organisation_id uuid not null,
  marketplace text not null,
  customer text not null,
  product text not null,
  dimension text not null,
  hour timestamptz not null,
  quantity bigint not null check (quantity > 0),
  state text not null check (state in ('open', 'taken', 'refused', 'unsure')),
  attempts integer not null default 0,
  -- A request was sent whose answer nobody has seen.
  is_unsure boolean not null default false,
  next_attempt_at timestamptz,
  receipt text,
  problem text,
  unique (organisation_id, dimension, hour)
);
create index marketplace_records_open on marketplace_records (next_attempt_at) where state = 'open';

-- What somebody has bought, until their account is opened.
alter table sign_ups
  add column marketplace text,
  add column marketplace_product text;

-- Until now nobody but the local marketplace sold anything, and it moved no money.
insert into marketplace_subscriptions (organisation_id, marketplace, customer, product, began_at)
select accounts.organisation_id, 'local', sign_ups.marketplace_customer, 'Boathouse', now()
from sign_ups join accounts on accounts.account_id = sign_ups.account_id
where sign_ups.marketplace_customer is not null
on conflict do nothing;
