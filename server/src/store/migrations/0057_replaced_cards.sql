-- Cards that another one has replaced, or whose organisation is gone: the payment provider still has to forget them. It is
-- written in the transaction of the change, whoever makes it.

create table replaced_cards (
  provider text not null,
  card_ref text not null,
  replaced_at timestamptz not null,
  primary key (provider, card_ref)
);
create index replaced_cards_replaced_at on replaced_cards (provider, replaced_at);

create function keep_replaced_card() returns trigger language plpgsql
  set search_path from current as $$
begin
  insert into replaced_cards (provider, card_ref, replaced_at)
  values (old.provider, old.card_ref, case when tg_op = 'UPDATE' then new.bound_at else old.bound_at end)
  on conflict do nothing;
  return null;
end
$$;

create trigger payment_cards_replaced after update on payment_cards for each row
  when ((old.provider, old.card_ref) is distinct from (new.provider, new.card_ref))
  execute function keep_replaced_card();
create trigger payment_cards_removed after delete on payment_cards for each row
  execute function keep_replaced_card();
create index invoices_charging_card on invoices (provider, card_ref) where state = 'charging';
