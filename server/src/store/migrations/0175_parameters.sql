-- What was bound to the parameters of a statement, as JSON; null: it was sent without values.
alter table statements add column bound_values text;

-- The parameters of a saved query with their values of now, which count as the rest of it does.
alter table editor_tabs add column parameters jsonb;

create or replace function saved_query_bytes(tab editor_tabs) returns bigint language sql immutable as $$
  select octet_length(tab.sql)::bigint + octet_length(tab.name) + coalesce(octet_length(tab.chart::text), 0)
    + coalesce(octet_length(tab.parameters::text), 0)
$$;

drop trigger editor_tabs_recounted on editor_tabs;
create trigger editor_tabs_recounted after update of sql, name, chart, parameters on editor_tabs
  for each row execute function count_saved_query();
