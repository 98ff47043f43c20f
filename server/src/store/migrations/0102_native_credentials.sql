-- SHA1(SHA1(password)), sealed, of users who let old MySQL clients in. It ends with the password that it was made of.
alter table users add column native_credential text;
