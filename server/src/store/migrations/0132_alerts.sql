-- Who is notified of which event, by mail or webhook.
create table alert_rules (
  rule_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  event text not null,
  -- Null: all warehouses. One that is deleted has no events any more, and does not become all of them.
  warehouse_id uuid,
  -- Null: of everybody.
  of_user_id uuid references users on delete cascade,
  -- Who is mailed.
  user_ids uuid[] not null,
  url text,
  -- Sealed.
  secret text,
  enabled boolean not null,
  created_at timestamptz not null,
  created_by text not null,
  -- How many were delivered since then, and how many were not because that is the limit.
  hour_started_at timestamptz not null,
  hour_count integer not null default 0,
  merged_count integer not null default 0,
  check ((url is null) = (secret is null))
);
create unique index alert_rules_of_account on alert_rules (account_id, lower(name));
create index alert_rules_of_user on alert_rules (of_user_id);
create index alert_rules_merged on alert_rules (hour_started_at) where merged_count > 0;

-- What happened and was not passed on yet. Written by triggers, with what happened: a server that dies in between
-- loses none, and none is told that did not come about.
create table alert_events (
  event_id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  event text not null,
  warehouse_id uuid,
  user_id uuid,
  facts jsonb not null,
  occurred_at timestamptz not null
);
create index alert_events_of_account on alert_events (account_id);

-- One for each rule and event; the same id on every attempt.
create table alert_deliveries (
  delivery_id uuid primary key,
  rule_id uuid not null references alert_rules on delete cascade,
  account_id text not null references accounts on delete cascade,
  event text not null,
  -- What is sent, to the byte.
  body text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'mailed')),
  attempts integer not null default 0,
  mailed_to integer not null,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  status integer,
  answer text not null default '',
  error text not null default '',
  check ((ended_at is null) = (state = 'waiting'))
);
create index alert_deliveries_of_rule on alert_deliveries (rule_id, delivery_id);
create index alert_deliveries_of_account on alert_deliveries (account_id, state, next_attempt_at);
create index alert_deliveries_ended on alert_deliveries (ended_at) where state <> 'waiting';

-- Costs one look into an index where no rule of the account is about the event.
create function note_alert_event(
  of_account text, of_event text, of_warehouse uuid, of_user uuid, told jsonb, at timestamptz
) returns void language plpgsql set search_path from current as $$
begin
  insert into alert_events (account_id, event, warehouse_id, user_id, facts, occurred_at)
  select of_account, of_event, of_warehouse, of_user, told, coalesce(at, now())
   where exists (select from alert_rules where account_id = of_account and event = of_event and enabled);
end
$$;

create function alert_of_statement() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_alert_event(new.account_id, 'statement.failed', new.warehouse_id, new.user_id, jsonb_build_object(
    'queryId', new.query_id, 'user', new.user_name, 'warehouse', new.warehouse, 'state', new.state,
    'code', new.error ->> 'code', 'message', left(new.error ->> 'message', 500)), new.ended_at);
  return null;
end
$$;
create trigger alert_of_failed_insert after insert on statements for each row
  when (new.visible and new.state in ('failed', 'interrupted')) execute function alert_of_statement();
create trigger alert_of_failed_update after update of state on statements for each row
  when (new.visible and new.state in ('failed', 'interrupted') and old.state in ('accepted', 'running'))
  execute function alert_of_statement();

create function alert_of_task() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_alert_event(new.account_id, 'task.failed', new.warehouse_id, new.user_id, jsonb_build_object(
    'runId', new.run_id, 'task', new.task_name, 'queryId', new.query_id, 'message', left(new.error, 500)),
    new.ended_at);
  return null;
end
$$;
create trigger alert_of_failed_insert after insert on task_runs for each row
  when (new.state = 'failed') execute function alert_of_task();
create trigger alert_of_failed_update after update of state on task_runs for each row
  when (new.state = 'failed' and old.state <> 'failed') execute function alert_of_task();

create function alert_of_load() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_alert_event(new.account_id, case new.state when 'failed' then 'load.failed' else 'load.ended' end,
    new.warehouse_id, new.user_id, jsonb_build_object(
    'taskId', new.task_id, 'user', new.user_name, 'warehouse', new.warehouse_name, 'file', new.file_name,
    'label', new.label, 'database', new.database_name, 'table', new.table_name, 'rowsLoaded', new.rows_loaded,
    'rowsRejected', new.rows_rejected, 'message', left(new.error, 500)), new.ended_at);
  return null;
end
$$;
create trigger alert_of_end_insert after insert on load_tasks for each row
  when (new.state in ('finished', 'failed')) execute function alert_of_load();
create trigger alert_of_end_update after update of state on load_tasks for each row
  when (new.state in ('finished', 'failed') and old.state <> new.state) execute function alert_of_load();

create function alert_of_budget() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_alert_event(new.owner_account_id, 'budget.reached', new.warehouse_id, null, jsonb_build_object(
    'budgetId', new.budget_id, 'accountId', new.account_id, 'warehouse',
    (select name from warehouses where warehouse_id = new.warehouse_id),
    'month', to_char(new.reached_month, 'YYYY-MM'), 'usd', (new.micro_usd / 1000000.0)::numeric(20, 2)::text,
    'action', new.action), null);
  return null;
end
$$;
create trigger alert_of_reached after update of reached_month on budgets for each row
  when (new.reached_month is not null and new.reached_month is distinct from old.reached_month)
  execute function alert_of_budget();

create function alert_of_warehouse() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_alert_event(new.account_id, 'warehouse.abnormal', new.warehouse_id, null, jsonb_build_object(
    'warehouse', new.name, 'status', new.status), null);
  return null;
end
$$;
create trigger alert_of_failed after update of status on warehouses for each row
  when (new.status = 'Failed' and old.status <> 'Failed') execute function alert_of_warehouse();

create function alert_of_invitation() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_alert_event(new.account_id, 'user.invited', null, null, jsonb_build_object(
    'user', (select name from users where user_id::text = new.subject and account_id = new.account_id)),
    new.created_at);
  return null;
end
$$;
create trigger alert_of_invitation after insert on links for each row
  when (new.purpose = 'invitation' and new.account_id is not null) execute function alert_of_invitation();
