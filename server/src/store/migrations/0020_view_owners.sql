-- What a view reads it reads with the rights of its owner. The owner is named without being referred to: a view whose
-- owner is gone is nobody's. One without a row was made by an administrator before owners were kept.
create table view_owners (
  account_id text not null references accounts on delete cascade,
  catalog text not null,
  database text not null,
  name text not null,
  user_id uuid not null
);
create unique index view_owners_view on view_owners (account_id, lower(catalog), lower(database), lower(name));

-- Nobody can grant to themselves: who holds a view by their own name has made it.
insert into view_owners (account_id, catalog, database, name, user_id)
  select grants.account_id, catalog, database, grants.name, grants.user_id
  from grants join users on users.user_id = grants.user_id and users.name = grants.granted_by
  where object_type = 'view' and catalog <> '' and database <> '' and grants.name <> ''
  on conflict do nothing;
