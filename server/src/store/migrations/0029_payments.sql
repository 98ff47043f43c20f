-- Cards, invoices and what was charged. Money is counted in whole units; of a card nothing is kept but what is shown.

create table payment_customers (
  organisation_id uuid primary key references organisations on delete cascade,
  provider text not null,
  customer_ref text not null,
  created_at timestamptz not null
);

create table card_setups (
  setup_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  setup_ref text not null unique,
  -- Whoever has the secret can enter a card: only its hash is kept.
  secret_hash bytea not null unique,
  state text not null check (state in ('open', 'bound', 'failed')),
  created_at timestamptz not null,
  ended_at timestamptz
);
create index card_setups_open on card_setups (created_at) where state = 'open';
create index card_setups_organisation_id on card_setups (organisation_id);

create table payment_cards (
  organisation_id uuid primary key references organisations on delete cascade,
  card_ref text not null,
  brand text not null,
  last_digits text not null,
  -- The first day of the last month in which it is good.
  expires date not null,
  bound_at timestamptz not null
);

-- What the local payment provider remembers, as another one remembers it elsewhere.
create table local_payments (
  object_id text primary key,
  data jsonb not null,
  changed_at timestamptz not null
);

-- Late usage is found by what was not billed yet.
alter table warehouse_usage add column billed_seconds bigint not null default 0
  check (billed_seconds between 0 and seconds);

-- Up to which month an organisation was billed.
create table billing_periods (
  organisation_id uuid primary key references organisations on delete cascade,
  billed_until date not null
);
create index billing_periods_billed_until on billing_periods (billed_until);

-- Invoices outlive the organisation that they are about. A unit is a 3600th of a millionth of a USD: a CCU-second
-- at a price in millionths of a USD is a whole number of them, so that nothing is rounded but the sum.
create table invoices (
  invoice_id uuid primary key,
  organisation_id uuid not null,
  organisation_name text not null,
  number text not null unique,
  month date not null,
  closed_at timestamptz not null,
  state text not null check (state in ('open', 'charging', 'retrying', 'unpaid', 'paid', 'elsewhere')),
  usage_units numeric(30) not null,
  credit_units numeric(30) not null,
  -- Parts of a cent, from the last invoice and to the next.
  carried_in_units numeric(30) not null,
  carried_out_units numeric(30) not null,
  ccu_seconds bigint not null,
  due_cents bigint not null,
  -- Never goes back: it names the try to the provider.
  attempts integer not null default 0,
  -- Since the card that is bound was bound.
  declines integer not null default 0,
  next_attempt_at timestamptz,
  problem text,
  charge_ref text,
  card_ref text,
  card_brand text,
  card_last_digits text,
  paid_at timestamptz,
  unique (organisation_id, month),
  check (usage_units - credit_units + carried_in_units = due_cents * 36000000 + carried_out_units)
);
create index invoices_to_charge on invoices (next_attempt_at) where state in ('open', 'charging', 'retrying');
create index invoices_unpaid on invoices (organisation_id) where state = 'unpaid';

create table invoice_lines (
  line_id uuid primary key,
  organisation_id uuid not null,
  -- Null: of an account that is deleted, for the next invoice.
  invoice_id uuid references invoices,
  used_by text not null,
  used_by_name text not null,
  warehouse_id uuid not null,
  warehouse_name text not null,
  month date not null,
  size text not null,
  edition text not null,
  usd_per_ccu numeric(12, 6) not null,
  in_trial boolean not null,
  seconds bigint not null,
  ccu_seconds bigint not null,
  -- Paid from the balance of CCUs.
  balance_ccu_seconds bigint not null default 0
);
create index invoice_lines_invoice_id on invoice_lines (invoice_id);
create index invoice_lines_waiting on invoice_lines (organisation_id) where invoice_id is null;

create table ccu_entries (
  entry_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  -- Above zero: granted; below: used by an invoice.
  ccu_seconds bigint not null,
  invoice_id uuid unique references invoices,
  at timestamptz not null
);
create index ccu_entries_organisation_id on ccu_entries (organisation_id);

alter table accounts drop constraint accounts_freeze_reason_check,
  add constraint accounts_freeze_reason_check check (freeze_reason in ('trial ended', 'unpaid', 'operator'));
