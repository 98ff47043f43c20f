-- What is kept of a catalog knows it by its id, so that a new name is written in one row. An id is text: the first catalog
-- of an account has no row and no other name, and stands for itself; so does a name of which nothing is known any more.
-- Empty stands for all.
create function catalog_id_of(account text, called text) returns text language plpgsql stable strict
  set search_path from current as $$
begin
  if called in ('', 'default_catalog') then return called; end if;
  return coalesce(
    (select catalog_id::text from internal_catalogs where account_id = account and lower(name) = lower(called)),
    (select catalog_id::text from external_catalogs where account_id = account and lower(name) = lower(called)),
    called);
end
$$;

-- Null when the catalog is gone.
create function catalog_name_of(id text) returns text language plpgsql stable strict
  set search_path from current as $$
begin
  if id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then return id; end if;
  return coalesce(
    (select name from internal_catalogs where catalog_id = id::uuid),
    (select name from external_catalogs where catalog_id = id::uuid));
end
$$;

-- The same in each entry of a list, where `path` leads to the catalog.
create function catalog_ids_in(account text, list jsonb, path text[]) returns jsonb language plpgsql stable strict
  set search_path from current as $$
begin
  if jsonb_typeof(list) <> 'array' or list = '[]' then return list; end if;
  return (select jsonb_agg(case when one #>> path is null then one
      else jsonb_set(one, path, to_jsonb(catalog_id_of(account, one #>> path))) end order by place)
    from jsonb_array_elements(list) with ordinality as entries (one, place));
end
$$;

create function catalog_names_in(list jsonb, path text[]) returns jsonb language plpgsql stable strict
  set search_path from current as $$
begin
  if jsonb_typeof(list) <> 'array' or list = '[]' then return list; end if;
  return (select jsonb_agg(case when one #>> path is null then one
      else jsonb_set(one, path, to_jsonb(coalesce(catalog_name_of(one #>> path), one #>> path))) end order by place)
    from jsonb_array_elements(list) with ordinality as entries (one, place));
end
$$;

alter table connections rename column catalog to catalog_id;
alter table editor_tabs rename column catalog to catalog_id;
alter table grants rename column catalog to catalog_id;
alter table load_tasks rename column catalog to catalog_id;
alter table materialized_views rename column catalog to catalog_id;
alter table materialized_views rename column home_catalog to home_catalog_id;
alter table task_runs rename column catalog to catalog_id;
alter table view_owners rename column catalog to catalog_id;
create or replace function forget_warehouse_grants() returns trigger language plpgsql
  set search_path from current as $$
begin
  delete from grants where account_id = old.account_id and object_type = 'warehouse'
    and lower(catalog_id) = '' and lower(database) = '' and lower(name) = old.warehouse_id::text;
  return null;
end
$$;
-- A statement also keeps the name that its catalog had, for when that is gone; those of before in the first have no id.
alter table statements add column catalog_id text;

update connections set catalog_id = catalog_id_of(account_id, catalog_id) where catalog_id <> 'default_catalog';
update editor_tabs set catalog_id = catalog_id_of(account_id, catalog_id) where catalog_id <> 'default_catalog';
update grants set catalog_id = catalog_id_of(account_id, catalog_id)
  where catalog_id not in ('', 'default_catalog');
update load_tasks set catalog_id = catalog_id_of(account_id, catalog_id) where catalog_id <> 'default_catalog';
update materialized_views set catalog_id = catalog_id_of(account_id, catalog_id),
  home_catalog_id = catalog_id_of(account_id, home_catalog_id),
  sources = catalog_ids_in(account_id, sources, '{0}');
update task_runs set catalog_id = catalog_id_of(account_id, catalog_id) where catalog_id <> 'default_catalog';
update view_owners set catalog_id = catalog_id_of(account_id, catalog_id) where catalog_id <> 'default_catalog';
update statements set catalog_id = catalog_id_of(account_id, catalog) where catalog <> 'default_catalog';
-- Of what is still kept: whoever sees its rows again must hold what they needed.
update statements set needed = catalog_ids_in(account_id, needed, '{object,catalog}')
  where result_state = 'kept' and jsonb_typeof(needed) = 'array';

-- Whoever stands in a catalog that is dropped is told its name.
create function keep_catalog_name() returns trigger language plpgsql
  set search_path from current as $$
declare
  id text := old.catalog_id::text;
begin
  update connections set catalog_id = old.name where account_id = old.account_id and catalog_id = id;
  update editor_tabs set catalog_id = old.name where account_id = old.account_id and catalog_id = id;
  update load_tasks set catalog_id = old.name where account_id = old.account_id and catalog_id = id;
  update task_runs set catalog_id = old.name where account_id = old.account_id and catalog_id = id;
  update scheduled_tasks set catalog = old.name where account_id = old.account_id and catalog = id;
  update materialized_views set home_catalog_id = old.name
    where account_id = old.account_id and home_catalog_id = id;
  update materialized_views set sources = replace(sources::text, to_json(id)::text, to_json(old.name)::text)::jsonb
    where account_id = old.account_id and position(id in sources::text) > 0;
  return null;
end
$$;
create trigger catalog_name_kept after delete on internal_catalogs
  for each row execute function keep_catalog_name();
create trigger catalog_name_kept after delete on external_catalogs
  for each row execute function keep_catalog_name();

-- What users may do is remembered by the names of catalogs.
create trigger identity_changed after update on internal_catalogs referencing new table as changed
  for each statement execute function identity_of_account_changed();
