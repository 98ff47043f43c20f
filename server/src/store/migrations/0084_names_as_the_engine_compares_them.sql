-- Engines take A to Z for a to z in names, and no other letters for others: "É" and "é" are two tables. Until now they were
-- one here. With the collation "C", lower() knows A to Z alone. What was kept stays: of two names that were one, each row
-- has the name that it was written with, and is of the object that is called so.
create or replace function catalog_id_of(account text, called text) returns text language plpgsql stable strict
  set search_path from current as $$
begin
  if called in ('', 'default_catalog') then return called; end if;
  return coalesce(
    (select catalog_id::text from internal_catalogs
      where account_id = account and lower(name collate "C") = lower(called collate "C")),
    (select catalog_id::text from external_catalogs
      where account_id = account and lower(name collate "C") = lower(called collate "C")),
    called);
end
$$;
create or replace function forget_warehouse_grants() returns trigger language plpgsql
  set search_path from current as $$
begin
  delete from grants where account_id = old.account_id and object_type = 'warehouse'
    and lower(catalog_id collate "C") = '' and lower(database collate "C") = ''
    and lower(name collate "C") = old.warehouse_id::text;
  return null;
end
$$;

drop index grants_to_user;
create unique index grants_to_user on grants
  (user_id, object_type, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C"));
drop index grants_to_role;
create unique index grants_to_role on grants
  (account_id, role, object_type, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C"));
drop index grants_object;
create index grants_object on grants
  (account_id, object_type, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C"));
drop index view_owners_view;
create unique index view_owners_view on view_owners
  (account_id, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C"));
drop index materialized_views_name;
create unique index materialized_views_name on materialized_views
  (account_id, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C"));
drop index internal_catalogs_account_id_lower_name;
create unique index internal_catalogs_account_id_lower_name on internal_catalogs (account_id, lower(name collate "C"));
drop index external_catalogs_account_id_lower_name;
create unique index external_catalogs_account_id_lower_name on external_catalogs (account_id, lower(name collate "C"));
