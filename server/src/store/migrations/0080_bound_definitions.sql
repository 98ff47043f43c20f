-- What a stored definition uses, as it was when it was made or last confirmed: a list of catalog, database, name, type, and
-- for a macro a print of its text. Null: nobody has looked yet. The print is empty after a change by somebody whose changes
-- need no confirmation, until it is read again, and '!' when somebody else has changed it before that.
alter table view_owners add column bound jsonb;
alter table materialized_views add column bound jsonb;
alter table scheduled_tasks add column bound jsonb;

create function bound_after_change(bound jsonb, catalog text, place text, function text, trusted boolean)
  returns jsonb language sql immutable strict
  set search_path from current as $$
  select coalesce(jsonb_agg(
      case when one ->> 3 = 'function' and one ->> 0 = catalog and lower((one ->> 1) collate "C") = lower(place collate "C")
          and lower((one ->> 2) collate "C") = lower(function collate "C") and (trusted or one ->> 4 = '')
        then jsonb_set(one, '{4}', case when trusted then '""'::jsonb else '"!"'::jsonb end)
        else one end order by at), bound)
    from jsonb_array_elements(bound) with ordinality as entries (one, at)
$$;
