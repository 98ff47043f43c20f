-- A schedule has a rule of its own, which notifies its users of its failures and of its condition.
alter table alert_rules add column schedule_id uuid unique references query_schedules on delete cascade;
alter table alert_events add column schedule_id uuid;

-- The names of the others are chosen by people.
drop index alert_rules_of_account;
create index alert_rules_of_account on alert_rules (account_id);
create unique index alert_rules_by_name on alert_rules (account_id, lower(name)) where schedule_id is null;

create function alert_of_schedule() returns trigger language plpgsql set search_path from current as $$
declare
  what text := case new.state when 'failed' then 'schedule.failed' else 'schedule.condition' end;
begin
  insert into alert_events (account_id, event, warehouse_id, user_id, schedule_id, facts, occurred_at)
  select new.account_id, what, new.warehouse_id, new.user_id, new.schedule_id, jsonb_build_object(
    'query', (select tabs.name from query_schedules join editor_tabs tabs using (tab_id)
      where schedule_id = new.schedule_id),
    'runId', new.run_id, 'queryId', new.query_id, 'rows', new.row_count, 'message', left(new.error, 500),
    'condition', case new.state when 'success' then (select condition ->> 'kind' from query_schedules
      where schedule_id = new.schedule_id) end), coalesce(new.ended_at, now())
   where exists (select from alert_rules where account_id = new.account_id and enabled
     and (schedule_id = new.schedule_id or schedule_id is null and event = what));
  return null;
end
$$;
create trigger alert_of_ended after update of state on query_schedule_runs for each row
  when (old.state in ('pending', 'running') and new.state in ('failed', 'success') and new.notified)
  execute function alert_of_schedule();
