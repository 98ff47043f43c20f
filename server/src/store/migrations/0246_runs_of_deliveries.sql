-- What became of the notification of a run of a scheduled query is shown with that run.
alter table alert_deliveries add column run_id uuid;
create index alert_deliveries_of_run on alert_deliveries (run_id) where run_id is not null;
