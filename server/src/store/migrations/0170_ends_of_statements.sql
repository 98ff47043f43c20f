-- The ends of statements, as many as come in one moment. An update that is sent as such is planned every time, since its
-- parameters say which month is meant; that takes as long as to run it. In a function the plan is kept. It is made when the
-- history may be small, and must not read all of it once that is large.
create function end_statements(ends jsonb) returns void language plpgsql
  set search_path from current
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
as $$
begin
  update statements set
    state = e.state, ended_at = e.ended_at, duration_us = e.duration_us, row_count = e.row_count, error = e.error,
    effect = e.effect, peak_memory_bytes = e.peak_memory_bytes, compile_us = e.compile_us, fetch_us = e.fetch_us,
    peak_spill_bytes = e.peak_spill_bytes, shown_bytes = e.shown_bytes, engine = e.engine, profile = e.profile,
    plan = e.plan, result_state = e.result_state, result_rows = e.result_rows, result_complete = e.result_complete,
    result_columns = e.result_columns, result_expires_at = e.result_expires_at,
    -- The path of the catalog in a privilege that a statement needed; it is kept by its id.
    needed = catalog_ids_in(statements.account_id, e.needed, '{object,catalog}')
  from jsonb_to_recordset(ends) as e (
    query_id uuid, accepted_at timestamptz, state text, ended_at timestamptz, duration_us bigint, row_count bigint,
    error jsonb, effect text, peak_memory_bytes bigint, compile_us bigint, fetch_us bigint, peak_spill_bytes bigint,
    shown_bytes bigint, engine text, profile jsonb, plan text, result_state text, result_rows bigint,
    result_complete boolean, result_columns jsonb, needed jsonb, result_expires_at timestamptz
  )
  where statements.query_id = e.query_id and statements.accepted_at = e.accepted_at;
end
$$;
