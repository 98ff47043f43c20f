-- From where people are let in to an account. With no rule enabled: from everywhere.
create table firewall_rules (
  rule_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  type text not null check (type in ('all')),
  -- IPv4 addresses and CIDR ranges, commas between them.
  addresses text not null check (char_length(addresses) <= 999),
  enabled boolean not null,
  created_at timestamptz not null
);
create unique index firewall_rules_account_id_lower_name on firewall_rules (account_id, lower(name));

-- A change that cut off its author. `before` is the rule as it was, null for one that was created.
create table firewall_trials (
  account_id text primary key references accounts on delete cascade,
  rule_id uuid not null,
  rule_name text not null,
  before jsonb,
  user_name text not null,
  client_ip text not null,
  ends_at timestamptz not null
);
create index firewall_trials_ends_at on firewall_trials (ends_at);

-- What is remembered of who may come in is forgotten with what is remembered of who they are.
create trigger identity_changed_insert after insert on firewall_rules referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_update after update on firewall_rules referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_delete after delete on firewall_rules referencing old table as changed
  for each statement execute function identity_of_account_changed();
