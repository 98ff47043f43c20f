-- More than one payment provider: what one of them knows means nothing to another.

alter table card_setups add column provider text not null default 'local';
alter table card_setups alter column provider drop default;
alter table payment_cards add column provider text not null default 'local';
alter table payment_cards alter column provider drop default;
alter table payment_customers drop constraint payment_customers_pkey,
  add primary key (organisation_id, provider);

-- Of the try that is under way, or of the one that paid.
alter table invoices add column provider text;
update invoices set provider = 'local' where attempts > 0;

-- Under which intent of the provider something is charged: written before it is confirmed, so that there is one.
create table payment_intents (
  charge_key text primary key,
  intent_ref text not null unique,
  created_at timestamptz not null
);

-- What the provider has told, so that what is told again does nothing.
create table payment_events (
  event_id text primary key,
  received_at timestamptz not null
);
create index payment_events_received_at on payment_events (received_at);
