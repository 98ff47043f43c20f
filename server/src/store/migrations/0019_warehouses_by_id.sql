-- Sessions and statements know their warehouse by its id: a new name is written in one row. No foreign key, because
-- both outlive it; a statement also keeps the name that its warehouse had, for when that is gone.
alter table connections add column warehouse_id uuid;
update connections set warehouse_id = warehouses.warehouse_id
  from warehouses
  where warehouses.account_id = connections.account_id
    and lower(warehouses.name) = lower(coalesce(connections.warehouse, 'default_warehouse'));
alter table connections drop column warehouse;

alter table statements
  add column warehouse_id uuid,
  -- Which kind of engine ran it; null when none did.
  add column engine text;
update statements set warehouse_id = warehouses.warehouse_id
  from warehouses
  where warehouses.account_id = statements.account_id and lower(warehouses.name) = lower(statements.warehouse);
