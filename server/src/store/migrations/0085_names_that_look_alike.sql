-- How a name looks, as far as names are told apart by it: compatibility forms such as full width are resolved, letters of
-- other scripts that are drawn as a Latin one are that one, and case is left out. Names of before may look alike.
create function look_of(name text) returns text language sql immutable strict parallel safe as $$
  select lower(translate(normalize(name, nfkc),
    'аеорсухіјѕԁһӏԛԝк' || 'АВЕКМНОРСТУХІЈЅ' || 'αονρικυχγ' || 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ' || 'ɑıɡօոհցս',
    'aeopcyxijsdhlqwk' || 'ABEKMHOPCTYXIJS' || 'aovpikuxy' || 'ABEZHIKMNOPTYX' || 'aigonhgu'))
$$;
create index users_look on users (account_id, look_of(name));
