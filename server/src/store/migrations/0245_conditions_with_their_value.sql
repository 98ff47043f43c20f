-- A condition that compares says of what column, and with what: 'amount above 100' rather than 'above'.
create or replace function alert_of_schedule() returns trigger language plpgsql set search_path from current as $$
declare
  what text := case new.state when 'failed' then 'schedule.failed' else 'schedule.condition' end;
begin
  insert into alert_events (account_id, event, warehouse_id, user_id, schedule_id, facts, occurred_at)
  select new.account_id, what, new.warehouse_id, new.user_id, new.schedule_id, jsonb_build_object(
    'query', (select tabs.name from query_schedules join editor_tabs tabs using (tab_id)
      where schedule_id = new.schedule_id),
    'runId', new.run_id, 'queryId', new.query_id, 'rows', new.row_count, 'message', left(new.error, 500),
    'condition', case new.state when 'success' then (
      select case when condition ->> 'kind' in ('above', 'below')
        then format('%s %s %s', condition ->> 'column', condition ->> 'kind', condition ->> 'value')
        else condition ->> 'kind' end
      from query_schedules where schedule_id = new.schedule_id) end), coalesce(new.ended_at, now())
   where exists (select from alert_rules where account_id = new.account_id and enabled
     and (schedule_id = new.schedule_id or schedule_id is null and event = what));
  return null;
end
$$;
