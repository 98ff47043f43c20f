-- Small loads end hundreds in one statement: whom that is to be told is asked once for all of them, not for each.
drop trigger alert_of_end_update on load_tasks;
create function alert_of_ended_loads() returns trigger language plpgsql set search_path from current as $$
begin
  insert into alert_events (account_id, event, warehouse_id, user_id, facts, occurred_at)
  select ended.account_id, kind.event, ended.warehouse_id, ended.user_id, jsonb_build_object(
      'taskId', ended.task_id, 'user', ended.user_name, 'warehouse', ended.warehouse_name, 'file', ended.file_name,
      'label', ended.label, 'database', ended.database_name, 'table', ended.table_name,
      'rowsLoaded', ended.rows_loaded, 'rowsRejected', ended.rows_rejected, 'message', left(ended.error, 500)),
    coalesce(ended.ended_at, now())
  from ended
  join before on before.task_id = ended.task_id and before.state <> ended.state
  cross join lateral (select case ended.state when 'failed' then 'load.failed' else 'load.ended' end) kind (event)
  where ended.state in ('finished', 'failed') and exists (
    select from alert_rules rule
    where rule.account_id = ended.account_id and rule.event = kind.event and rule.enabled
  );
  return null;
end
$$;
create trigger alert_of_end_update after update on load_tasks
  referencing old table as before new table as ended for each statement execute function alert_of_ended_loads();

-- Each row is changed twice soon after it came: with room beside it, the first change leaves the indexes alone.
alter table load_tasks set (fillfactor = 70);
