-- Who asked for a run, beside the user as whom it runs. Null: a schedule.
alter table dashboard_runs add column begun_by uuid;
