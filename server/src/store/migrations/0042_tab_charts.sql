-- How the rows of a saved query are drawn; null: they never were.
alter table editor_tabs add column chart jsonb;
