-- Whoever made an object keeps what they hold on it: only who administers all data, or all warehouses, takes it from them.
alter table grants add column is_creator boolean not null default false;
update grants set is_creator = true from users
  where users.user_id = grants.user_id and lower(users.name) = lower(grants.granted_by);

-- Who gave what a grant consists of, where anybody but the owner did. A null grantor is the owner of the object, or somebody
-- in the owner's place. A grant without rows here is the owner's: so are all from before.
create table grant_sources (
  source_id bigint generated always as identity primary key,
  grant_id bigint not null references grants on delete cascade,
  account_id text not null references accounts on delete cascade,
  -- Not with the user: what they passed on is taken back first.
  grantor_id uuid references users,
  privileges text[] not null check (cardinality(privileges) > 0),
  grantable text[] not null check (grantable <@ privileges),
  unique nulls not distinct (grant_id, grantor_id)
);
create index grant_sources_grantor_id on grant_sources (grantor_id);
create index grant_sources_account_id on grant_sources (account_id);
