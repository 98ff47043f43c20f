-- Who else has access to a saved query, or to all that is in a folder. It ends with the query, the folder, the user or the
-- role.
create table editor_shares (
  share_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  tab_id uuid references editor_tabs on delete cascade,
  folder_id uuid references editor_folders on delete cascade,
  user_id uuid references users on delete cascade,
  -- One that people made, which can be dropped, or one that is built in.
  made_role text,
  built_in_role text,
  -- 1: see, 2: run, 3: edit.
  level smallint not null check (level between 1 and 3),
  created_at timestamptz not null,
  foreign key (account_id, made_role) references roles (account_id, name) on delete cascade,
  check (num_nonnulls(tab_id, folder_id) = 1),
  check (num_nonnulls(user_id, made_role, built_in_role) = 1),
  unique nulls not distinct (tab_id, folder_id, user_id, made_role, built_in_role)
);
create index editor_shares_of_folder on editor_shares (folder_id);
create index editor_shares_with_user on editor_shares (user_id);
create index editor_shares_with_made_role on editor_shares (account_id, made_role);
create index editor_shares_with_built_in_role on editor_shares (account_id, built_in_role);

-- Shared queries that somebody has opened, as tabs of their own. Who has no access any more has no tab either.
create table editor_shared_tabs (
  user_id uuid not null references users on delete cascade,
  tab_id uuid not null references editor_tabs on delete cascade,
  hidden boolean not null default false,
  active boolean not null default false,
  position integer not null,
  closed_at timestamptz,
  primary key (user_id, tab_id)
);
create index editor_shared_tabs_of_tab on editor_shared_tabs (tab_id);

create index editor_tabs_of_folder on editor_tabs (folder_id) where folder_id is not null;

-- Somebody else changed what it runs, and its owner has neither run nor changed it since.
alter table editor_tabs add column changed_by_others boolean not null default false;

-- What a user with these roles may do with a query of somebody else; null: nothing.
create function shared_level(tab editor_tabs, reader uuid, roles text[]) returns smallint language sql stable as $$
  with recursive above as (
    select folder_id, parent_id from editor_folders where folder_id = tab.folder_id
    union all
    select up.folder_id, up.parent_id from editor_folders up join above on up.folder_id = above.parent_id
  )
  select max(level) from editor_shares
  where account_id = tab.account_id
    and (tab_id = tab.tab_id or folder_id in (select folder_id from above))
    and (user_id = reader or made_role = any(roles) or built_in_role = any(roles))
$$;
