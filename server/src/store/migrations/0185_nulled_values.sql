-- Columns in which a load made NULL of values that do not fit: how many, and the first of them.
alter table load_tasks add column nulled jsonb;
