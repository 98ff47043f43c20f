-- A sample is not changed: whoever writes in it gets a copy.
alter table editor_tabs add column sample boolean not null default false;
-- When it was last taken off the row of tabs, and when it was put into the bin.
alter table editor_tabs add column closed_at timestamptz;
alter table editor_tabs add column deleted_at timestamptz;

-- Until now everything saved was open; what was last used stays so.
update editor_tabs set hidden = not active;
update editor_tabs set sample = true
where revision = 1 and folder_id in (
  select folder_id from editor_folders where name = 'Samples' and parent_id is null
);

create index editor_tabs_user_id_deleted_at on editor_tabs (user_id, deleted_at) where deleted_at is not null;
create index editor_tabs_deleted_at on editor_tabs (deleted_at) where deleted_at is not null;
