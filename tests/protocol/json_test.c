/* Every row is one message as a client may send it, and what the server makes of it: the values it
 * means, written as words, or the refusal with the words the sender reads. */
#include "tests/support/test.h"

#include "protocol/message.h"
#include "protocol/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 256, DESCRIPTION_BYTES = 2048 };

struct row {
    const char *name, *text;
    enum refusal refusal;
    const char *expected; /* of a good message: what it says; otherwise the id and the words */
};

#define ROOM       "\"room\":\"k3Qd9x_-\""
#define HAS_ID     "\"id\":\"4\""
#define MOVE(rest) "{\"type\":\"move\"," HAS_ID "," ROOM rest "}"
#define TEN(text)  text text text text text text text text text text

/* clang-format off */
static const struct row rows[] = {
    /* the envelope */
    {"a ping", "{\"type\":\"ping\",\"id\":\"1\"}", REFUSAL_NONE, "ping 1"},
    {"white space is free", " \t\r\n{ \"type\" : \"ping\" ,\n\"id\" : \"1\" } \n", REFUSAL_NONE, "ping 1"},
    {"unknown fields are ignored", "{\"type\":\"ping\",\"id\":\"1\",\"x\":[1,{\"y\":null}],\"room\":7}", REFUSAL_NONE, "ping 1"},
    {"escapes in a type are undone", "{\"type\":\"\\u0070ing\",\"id\":\"1\"}", REFUSAL_NONE, "ping 1"},
    {"an id has all its admitted characters", "{\"type\":\"ping\",\"id\":\"aZ0_.:-\"}", REFUSAL_NONE, "ping aZ0_.:-"},
    {"an id of 32 characters", "{\"type\":\"ping\",\"id\":\"abcdefghijklmnopqrstuvwxyz012345\"}", REFUSAL_NONE, "ping abcdefghijklmnopqrstuvwxyz012345"},
    {"an id of 33 characters", "{\"type\":\"ping\",\"id\":\"abcdefghijklmnopqrstuvwxyz0123456\"}", REFUSAL_BAD_MESSAGE, "|id must be from 1 to 32 characters of A-Z a-z 0-9 _ . : -"},
    {"an empty id", "{\"type\":\"ping\",\"id\":\"\"}", REFUSAL_BAD_MESSAGE, "|id must be from 1 to 32"},
    {"a space in an id", "{\"type\":\"ping\",\"id\":\"a b\"}", REFUSAL_BAD_MESSAGE, "|id must be"},
    {"a letter beyond ASCII in an id", "{\"type\":\"ping\",\"id\":\"\xc3\xa9\"}", REFUSAL_BAD_MESSAGE, "|id must be"},
    {"an id that is a number", "{\"type\":\"ping\",\"id\":1}", REFUSAL_BAD_MESSAGE, "|id must be"},
    {"no id", "{\"type\":\"ping\"}", REFUSAL_BAD_MESSAGE, "|id is missing"},
    {"no type", "{\"id\":\"1\"}", REFUSAL_BAD_MESSAGE, "1|type is missing"},
    {"a type that is no string", "{\"id\":\"1\",\"type\":[]}", REFUSAL_BAD_MESSAGE, "1|type must be a string"},
    {"an unknown type", "{\"id\":\"1\",\"type\":\"fly\"}", REFUSAL_UNKNOWN_TYPE, "1|there is no such command"},
    {"a type in capitals is unknown", "{\"id\":\"1\",\"type\":\"PING\"}", REFUSAL_UNKNOWN_TYPE, "1|there is no such command"},
    {"a server's type is unknown", "{\"id\":\"1\",\"type\":\"event\"}", REFUSAL_UNKNOWN_TYPE, "1|there is no such command"},
    {"an empty type is unknown", "{\"id\":\"1\",\"type\":\"\"}", REFUSAL_UNKNOWN_TYPE, "1|there is no such command"},

    /* not one JSON object */
    {"nothing", "", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"white space alone", "  ", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"a word", "hello", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"a string", "\"hello\"", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"null", "null", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"an array", "[{\"type\":\"ping\",\"id\":\"1\"}]", REFUSAL_BAD_JSON, "|this is not one JSON object: it is an array"},
    {"an object cut short", "{\"type\":\"ping\",\"id\":\"1\"", REFUSAL_BAD_JSON, "|this is not one JSON object: it ends too early"},
    {"a string cut short", "{\"type\":\"pi", REFUSAL_BAD_JSON, "|this is not one JSON object: it ends too early"},
    {"a string cut after its escape", "{\"type\":\"pi\\", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"two objects", "{\"type\":\"ping\",\"id\":\"1\"}{}", REFUSAL_BAD_JSON, "|this is not one JSON object: something follows its end"},
    {"a comma too many", "{\"type\":\"ping\",\"id\":\"1\",}", REFUSAL_BAD_JSON, "|this is not one JSON object: it is not JSON in UTF-8"},
    {"single quotes", "{'type':'ping','id':'1'}", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"a comment", "{\"type\":\"ping\",/* */\"id\":\"1\"}", REFUSAL_BAD_JSON, "|this is not one JSON object"},
    {"a member named twice", "{\"type\":\"ping\",\"id\":\"1\",\"id\":\"2\"}", REFUSAL_BAD_JSON, "|this is not one JSON object: a member is named twice"},
    {"a member named twice, once with an escape", "{\"type\":\"ping\",\"id\":\"1\",\"\\u0069d\":\"2\"}", REFUSAL_BAD_JSON, "a member is named twice"},
    {"a byte that is not UTF-8", "{\"type\":\"ping\",\"id\":\"1\",\"x\":\"\xff\"}", REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"a letter encoded too long", "{\"type\":\"ping\",\"id\":\"1\",\"x\":\"\xc0\xaf\"}", REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"half of a surrogate pair", "{\"type\":\"ping\",\"id\":\"1\",\"x\":\"\\ud83d\"}", REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"a surrogate encoded as UTF-8", "{\"type\":\"ping\",\"id\":\"1\",\"x\":\"\xed\xa0\x80\"}", REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"a null character escaped", "{\"type\":\"ping\",\"id\":\"1\\u0000\"}", REFUSAL_BAD_JSON, "it contains a null character"},
    {"a null character in a member's name", "{\"type\":\"ping\",\"id\":\"1\",\"a\\u0000b\":1}", REFUSAL_BAD_JSON, "it contains a null character"},
    {"a line feed in a string", "{\"type\":\"ping\",\"id\":\"1\n\"}", REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"a number beyond 64 bits", "{\"type\":\"ping\",\"id\":\"1\",\"x\":9223372036854775808}", REFUSAL_BAD_JSON, "a number is too large"},
    {"a byte order mark", "\xef\xbb\xbf{\"type\":\"ping\",\"id\":\"1\"}", REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"31 arrays inside the object", "{\"type\":\"ping\",\"id\":\"1\",\"x\":[" TEN("[") TEN("[") TEN("[") TEN("]") TEN("]") TEN("]") "]}", REFUSAL_NONE, "ping 1"},
    {"32 arrays inside the object", "{\"type\":\"ping\",\"id\":\"1\",\"x\":[[" TEN("[") TEN("[") TEN("[") TEN("]") TEN("]") TEN("]") "]]}", REFUSAL_BAD_JSON, "|a message must be nested at most 32 deep"},
    {"brackets in a string are not depth", "{\"type\":\"ping\",\"id\":\"1\",\"x\":\"\\\"" TEN("[[[[") "\"}", REFUSAL_NONE, "ping 1"},

    /* auth */
    {"auth without a token", "{\"type\":\"auth\",\"id\":\"1\"}", REFUSAL_NONE, "auth 1 token=-"},
    {"auth with a token", "{\"type\":\"auth\",\"id\":\"1\",\"token\":\"abc\"}", REFUSAL_NONE, "auth 1 token=abc"},
    {"auth without legal moves", "{\"type\":\"auth\",\"id\":\"1\",\"legal_moves\":false}", REFUSAL_NONE, "auth 1 token=- no moves"},
    {"auth with legal moves", "{\"type\":\"auth\",\"id\":\"1\",\"legal_moves\":true,\"token\":\"abc\"}", REFUSAL_NONE, "auth 1 token=abc"},
    {"auth with some legal moves", "{\"type\":\"auth\",\"id\":\"1\",\"legal_moves\":\"few\"}", REFUSAL_BAD_MESSAGE, "1|legal_moves must be true or false"},
    {"a token that is no string", "{\"type\":\"auth\",\"id\":\"1\",\"token\":5}", REFUSAL_BAD_MESSAGE, "1|token must be a string"},

    /* games */
    {"games list", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"list\"}", REFUSAL_NONE, "games 1 list"},
    {"games get", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"get\",\"game\":\"chess\"}", REFUSAL_NONE, "games 1 get chess"},
    {"games get without a game", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"get\"}", REFUSAL_BAD_MESSAGE, "1|game is missing"},
    {"games validate an object, written compactly and in its order", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"validate\",\"definition\":{\"b\": [1, 2.50, -0.1, 1e3, true, false, null],\n \"a\": \"\\u00e9\\n\\\"\"}}", REFUSAL_NONE,
        "games 1 validate {\"b\":[1,2.5,-0.1,1000,true,false,null],\"a\":\"\xc3\xa9\\n\\\"\"}"},
    {"games validate a text, as it is", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"validate\",\"definition\":\"{ \\\"a\\\" :\\n 1 }\"}", REFUSAL_NONE, "games 1 validate { \"a\" :\n 1 }"},
    {"games validate without a definition", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"validate\"}", REFUSAL_BAD_MESSAGE, "1|definition is missing"},
    {"a definition that is an array", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"validate\",\"definition\":[]}", REFUSAL_BAD_MESSAGE, "1|definition must be an object or a string of JSON text"},
    {"an empty definition", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"validate\",\"definition\":\"\"}", REFUSAL_BAD_MESSAGE, "1|definition must not be empty"},
    {"games publish is a word we know", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"publish\"}", REFUSAL_NONE, "games 1 publish"},
    {"games without op lists them", "{\"type\":\"games\",\"id\":\"1\"}", REFUSAL_NONE, "games 1 list"},
    {"games with another op", "{\"type\":\"games\",\"id\":\"1\",\"op\":\"steal\"}", REFUSAL_BAD_MESSAGE, "1|op is not one of the words it may be"},

    /* create */
    {"create a game", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\"}", REFUSAL_NONE, "create 2 game=chess definition=- public"},
    {"create a private game", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\",\"visibility\":\"private\"}", REFUSAL_NONE, "create 2 game=chess definition=- private"},
    {"create from a definition", "{\"type\":\"create\",\"id\":\"2\",\"definition\":{\"a\":{}},\"visibility\":\"public\"}", REFUSAL_NONE, "create 2 game=- definition={\"a\":{}} public"},
    {"create with a clock", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\",\"clock\":{\"initial_ms\":5000}}", REFUSAL_NONE, "create 2 game=chess definition=- public clock"},
    {"create for three players", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"star\",\"players\":3}", REFUSAL_NONE, "create 2 game=star definition=- public players=3"},
    {"create a definition for two", "{\"type\":\"create\",\"id\":\"2\",\"definition\":\"{}\",\"players\":2}", REFUSAL_NONE, "create 2 game=- definition={} public players=2"},
    {"create for nobody", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"star\",\"players\":0}", REFUSAL_BAD_MESSAGE, "2|players must be from 1 to 8"},
    {"create for nine", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"star\",\"players\":9}", REFUSAL_BAD_MESSAGE, "2|players must be from 1 to 8"},
    {"create for some", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"star\",\"players\":\"3\"}", REFUSAL_BAD_MESSAGE, "2|players must be an integer"},
    {"create from nothing", "{\"type\":\"create\",\"id\":\"2\"}", REFUSAL_BAD_MESSAGE, "2|create needs one of game, definition and fork"},
    {"create from both", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\",\"definition\":{}}", REFUSAL_BAD_MESSAGE, "2|create needs one of game, definition and fork"},
    {"create a fork", "{\"type\":\"create\",\"id\":\"2\",\"fork\":{" ROOM ",\"ply\":0}}", REFUSAL_NONE, "create 2 k3Qd9x_- game=- definition=- public fork=0"},
    {"create a private fork", "{\"type\":\"create\",\"id\":\"2\",\"fork\":{" ROOM ",\"ply\":17},\"visibility\":\"private\"}", REFUSAL_NONE, "create 2 k3Qd9x_- game=- definition=- private fork=17"},
    {"create a fork with a clock", "{\"type\":\"create\",\"id\":\"2\",\"fork\":{" ROOM ",\"ply\":17},\"clock\":{\"initial_ms\":5000}}", REFUSAL_NONE, "create 2 k3Qd9x_- game=- definition=- public clock fork=17"},
    {"create a fork of a game", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\",\"fork\":{" ROOM ",\"ply\":0}}", REFUSAL_BAD_MESSAGE, "2|create needs one of game, definition and fork"},
    {"create a fork for three", "{\"type\":\"create\",\"id\":\"2\",\"players\":3,\"fork\":{" ROOM ",\"ply\":0}}", REFUSAL_BAD_MESSAGE, "2|players does not go with fork"},
    {"create a fork of nothing", "{\"type\":\"create\",\"id\":\"2\",\"fork\":{\"ply\":0}}", REFUSAL_BAD_MESSAGE, "2|fork.room is missing"},
    {"create a fork without a ply", "{\"type\":\"create\",\"id\":\"2\",\"fork\":{" ROOM "}}", REFUSAL_BAD_MESSAGE, "2|fork.ply is missing"},
    {"create a fork before the start", "{\"type\":\"create\",\"id\":\"2\",\"fork\":{" ROOM ",\"ply\":-1}}", REFUSAL_BAD_MESSAGE, "2|fork.ply must be an integer, not less than 0"},
    {"create a fork that is a word", "{\"type\":\"create\",\"id\":\"2\",\"fork\":\"k3Qd9x_-\"}", REFUSAL_BAD_MESSAGE, "2|fork must be an object"},
    {"create with another visibility", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"chess\",\"visibility\":\"dim\"}", REFUSAL_BAD_MESSAGE, "2|visibility is not one of the words it may be"},
    {"create a game without a name", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"\"}", REFUSAL_BAD_MESSAGE, "2|game must not be empty"},
    {"create a game whose name is too long", "{\"type\":\"create\",\"id\":\"2\",\"game\":\"" TEN("1234567") "\"}", REFUSAL_BAD_MESSAGE, "2|game must be at most 64 bytes"},

    /* join, leave */
    {"join a seat", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"white\",\"name\":\"Ada\"}", REFUSAL_NONE, "join 3 k3Qd9x_- seat=white name=Ada human"},
    {"join as a bot without a name", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"as\":\"bot\"}", REFUSAL_NONE, "join 3 k3Qd9x_- seat=any name= bot"},
    {"an empty name is none", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"name\":\"\"}", REFUSAL_NONE, "join 3 k3Qd9x_- seat=any name= human"},
    {"a name of 40 bytes", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"name\":\"" TEN("\xc3\xa9\xc3\xa9") "\"}", REFUSAL_NONE, "join 3 k3Qd9x_- seat=any name=" TEN("\xc3\xa9\xc3\xa9") " human"},
    {"a name of 41 bytes", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"name\":\"x" TEN("\xc3\xa9\xc3\xa9") "\"}", REFUSAL_BAD_MESSAGE, "3|name must be at most 40 bytes"},
    {"a name with a control character", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"name\":\"A\\u0007\"}", REFUSAL_BAD_MESSAGE, "3|name must not contain control characters"},
    {"a name with a control character of the second kind", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"name\":\"A\\u0085\"}", REFUSAL_BAD_MESSAGE, "3|name must not contain control characters"},
    {"a name with U+00A0 has none", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"name\":\"A\\u00a0\"}", REFUSAL_NONE, "join 3 k3Qd9x_- seat=any name=A\xc2\xa0 human"},
    {"join without a seat", "{\"type\":\"join\",\"id\":\"3\"," ROOM "}", REFUSAL_BAD_MESSAGE, "3|join needs either seat or key"},
    {"join with a key", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"key\":\"AbC\"}", REFUSAL_NONE, "join 3 k3Qd9x_- key=AbC name= human"},
    {"join with a seat and a key", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"key\":\"AbC\"}", REFUSAL_BAD_MESSAGE, "3|join needs either seat or key"},
    {"a seat key", "{\"type\":\"seat_key\",\"id\":\"3\"," ROOM "}", REFUSAL_NONE, "seat_key 3 k3Qd9x_-"},
    {"a seat key of no room", "{\"type\":\"seat_key\",\"id\":\"3\"}", REFUSAL_BAD_MESSAGE, "3|room is missing"},
    {"join an empty seat", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"\"}", REFUSAL_BAD_MESSAGE, "3|seat must not be empty"},
    {"join as a ghost", "{\"type\":\"join\",\"id\":\"3\"," ROOM ",\"seat\":\"any\",\"as\":\"ghost\"}", REFUSAL_BAD_MESSAGE, "3|as is not one of the words it may be"},
    {"join without a room", "{\"type\":\"join\",\"id\":\"3\",\"seat\":\"any\"}", REFUSAL_BAD_MESSAGE, "3|room is missing"},
    {"leave", "{\"type\":\"leave\",\"id\":\"3\"," ROOM "}", REFUSAL_NONE, "leave 3 k3Qd9x_-"},
    {"a room of seven characters", "{\"type\":\"leave\",\"id\":\"3\",\"room\":\"k3Qd9x_\"}", REFUSAL_NONE, "leave 3 k3Qd9x_"},
    {"a room with a slash", "{\"type\":\"leave\",\"id\":\"3\",\"room\":\"../../x_\"}", REFUSAL_NONE, "leave 3 ../../x_"},
    {"a room of 64 bytes", "{\"type\":\"leave\",\"id\":\"3\",\"room\":\"" TEN("123456") "1234\"}", REFUSAL_NONE, "leave 3 " TEN("123456") "1234"},
    {"a room of 65 bytes", "{\"type\":\"leave\",\"id\":\"3\",\"room\":\"" TEN("123456") "12345\"}", REFUSAL_BAD_MESSAGE, "3|room must be at most 64 bytes"},
    {"a room without a name", "{\"type\":\"leave\",\"id\":\"3\",\"room\":\"\"}", REFUSAL_BAD_MESSAGE, "3|room must not be empty"},
    {"a room with a line feed", "{\"type\":\"leave\",\"id\":\"3\",\"room\":\"k3Qd\\nx_-\"}", REFUSAL_BAD_MESSAGE, "3|room must not contain control characters"},
    {"a room that is a number", "{\"type\":\"leave\",\"id\":\"3\",\"room\":12345678}", REFUSAL_BAD_MESSAGE, "3|room must be a string"},

    /* move */
    {"a move", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- e2 e4 choice=- version=-1"},
    {"a move with a choice and a version", MOVE(",\"version\":3,\"move\":{\"from\":\"e7\",\"to\":\"e8\",\"choice\":\"queen\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- e7 e8 choice=queen version=3"},
    {"a move between coordinates", MOVE(",\"move\":{\"from\":{\"x\":4,\"y\":-1},\"to\":\"3_-1\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- (x=4 y=-1) 3_-1 choice=- version=-1"},
    {"a move in eight dimensions", MOVE(",\"move\":{\"from\":{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":10000},\"to\":\"z\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- (a=0 b=1 c=2 d=3 e=4 f=5 g=6 h=10000) z choice=- version=-1"},
    {"a move in nine dimensions", MOVE(",\"move\":{\"from\":{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,\"i\":8},\"to\":\"z\"}"), REFUSAL_BAD_MESSAGE, "4|move.from must have from 1 to 8 coordinates"},
    {"a move from nowhere", MOVE(",\"move\":{\"from\":{},\"to\":\"z\"}"), REFUSAL_BAD_MESSAGE, "4|move.from must have from 1 to 8 coordinates"},
    {"a coordinate far away", MOVE(",\"move\":{\"from\":\"a\",\"to\":{\"x\":10001}}"), REFUSAL_BAD_MESSAGE, "4|move.to: a coordinate must be from -10000 to 10000"},
    {"a coordinate between cells", MOVE(",\"move\":{\"from\":\"a\",\"to\":{\"x\":1.5}}"), REFUSAL_BAD_MESSAGE, "4|move.to: a coordinate must be an integer"},
    {"a coordinate without a name", MOVE(",\"move\":{\"from\":\"a\",\"to\":{\"\":1}}"), REFUSAL_BAD_MESSAGE, "4|move.to: a coordinate's name must be from 1 to 64 bytes"},
    {"a move written with spaces, its members in another order", " {\t\"move\" : { \"choice\":\"queen\" , \"to\":\"e8\",\n\"from\":\"e7\"} ,\r\"version\" : 0 , " ROOM ", " HAS_ID ",\"type\":\"move\" } ", REFUSAL_NONE, "move 4 k3Qd9x_- e7 e8 choice=queen version=0"},
    {"a move with an escape in a name", MOVE(",\"move\":{\"from\":\"e\\u0032\",\"to\":\"e4\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- e2 e4 choice=- version=-1"},
    {"a move between cells with names beyond ASCII", MOVE(",\"move\":{\"from\":\"\xc3\xa9\",\"to\":\"\xe6\xa3\x8b\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- \xc3\xa9 \xe6\xa3\x8b choice=- version=-1"},
    {"a move with a field more", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\",\"by\":1},\"why\":[]"), REFUSAL_NONE, "move 4 k3Qd9x_- e2 e4 choice=- version=-1"},
    {"a move with a version of all its digits", MOVE(",\"version\":9007199254740991,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- e2 e4 choice=- version=9007199254740991"},
    {"a move with a version of fifteen digits", MOVE(",\"version\":999999999999999,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- e2 e4 choice=- version=999999999999999"},
    {"a version that begins with zero", MOVE(",\"version\":03,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"a version twice", MOVE(",\"version\":3,\"version\":3,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_JSON, "a member is named twice"},
    {"a move twice", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\"},\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_JSON, "a member is named twice"},
    {"half of a move twice", MOVE(",\"move\":{\"from\":\"e2\"},\"move\":{\"to\":\"e4\"}"), REFUSAL_BAD_JSON, "a member is named twice"},
    {"the other half of a move twice", MOVE(",\"move\":{\"to\":\"e4\"},\"move\":{\"from\":\"e2\"}"), REFUSAL_BAD_JSON, "a member is named twice"},
    {"a target twice", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\",\"to\":\"e3\"}"), REFUSAL_BAD_JSON, "a member is named twice"},
    {"a comma after the last member of a move", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\",}"), REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"something after a move", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}") "x", REFUSAL_BAD_JSON, "something follows its end"},
    {"a move of another type", "{\"type\":\"sync\"," HAS_ID "," ROOM ",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}}", REFUSAL_NONE, "sync 4 k3Qd9x_-"},
    {"a move with an escape that is none", MOVE(",\"move\":{\"from\":\"e2\\x7f\",\"to\":\"e4\"}"), REFUSAL_BAD_JSON, "it is not JSON in UTF-8"},
    {"a move from a cell with a raw delete character", MOVE(",\"move\":{\"from\":\"e2\x7f\",\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|move.from must not contain control characters"},
    {"a move without a move", MOVE(""), REFUSAL_BAD_MESSAGE, "4|move is missing"},
    {"a move that is a string", MOVE(",\"move\":\"e2e4\""), REFUSAL_BAD_MESSAGE, "4|move must be an object"},
    {"a placement", MOVE(",\"move\":{\"to\":\"e4\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- nowhere e4 choice=- version=-1"},
    {"a placement of a kind", MOVE(",\"version\":3,\"move\":{\"choice\":\"knight\",\"to\":\"e4\"}"), REFUSAL_NONE, "move 4 k3Qd9x_- nowhere e4 choice=knight version=3"},
    {"a placement by coordinates", MOVE(",\"move\":{\"to\":{\"x\":1}}"), REFUSAL_NONE, "move 4 k3Qd9x_- nowhere (x=1) choice=- version=-1"},
    {"a placement from null", MOVE(",\"move\":{\"from\":null,\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|move.from must be a cell's name or an object of coordinates"},
    {"a move that is empty", MOVE(",\"move\":{}"), REFUSAL_BAD_MESSAGE, "4|move.to is missing"},
    {"a move without its target", MOVE(",\"move\":{\"from\":\"e2\"}"), REFUSAL_BAD_MESSAGE, "4|move.to is missing"},
    {"a move to a number", MOVE(",\"move\":{\"from\":\"e2\",\"to\":4}"), REFUSAL_BAD_MESSAGE, "4|move.to must be a cell's name or an object of coordinates"},
    {"a move to an empty name", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"\"}"), REFUSAL_BAD_MESSAGE, "4|move.to must not be empty"},
    {"a move to a name too long", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"" TEN("1234567") "\"}"), REFUSAL_BAD_MESSAGE, "4|move.to must be at most 64 bytes"},
    {"a choice that is no string", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\",\"choice\":null}"), REFUSAL_BAD_MESSAGE, "4|move.choice must be a string"},
    {"a choice that is empty", MOVE(",\"move\":{\"from\":\"e2\",\"to\":\"e4\",\"choice\":\"\"}"), REFUSAL_BAD_MESSAGE, "4|move.choice must not be empty"},
    {"a pass", MOVE(",\"move\":{\"pass\":true}"), REFUSAL_NONE, "move 4 k3Qd9x_- pass version=-1"},
    {"a swap of sides", MOVE(",\"move\":{\"swap\":true}"), REFUSAL_NONE, "move 4 k3Qd9x_- swap version=-1"},
    {"a pass with a version", MOVE(",\"version\":7,\"move\":{\"pass\":true}"), REFUSAL_NONE, "move 4 k3Qd9x_- pass version=7"},
    {"a pass that is none", MOVE(",\"move\":{\"pass\":false}"), REFUSAL_BAD_MESSAGE, "4|move.pass must be true"},
    {"a swap that is none", MOVE(",\"move\":{\"swap\":false}"), REFUSAL_BAD_MESSAGE, "4|move.swap must be true"},
    {"a swap and a pass", MOVE(",\"move\":{\"swap\":true,\"pass\":true}"), REFUSAL_BAD_MESSAGE, "4|move.pass stands alone"},
    {"a swap with a cell", MOVE(",\"move\":{\"swap\":true,\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|move.swap stands alone"},
    {"a pass to somewhere", MOVE(",\"move\":{\"pass\":true,\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|move.pass stands alone"},
    {"a pass with a choice", MOVE(",\"move\":{\"pass\":true,\"choice\":\"queen\"}"), REFUSAL_BAD_MESSAGE, "4|move.pass stands alone"},
    {"a version that is a string", MOVE(",\"version\":\"3\",\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|version must be an integer"},
    {"a version with a fraction", MOVE(",\"version\":3.0,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|version must be an integer"},
    {"a version below zero", MOVE(",\"version\":-1,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|version must be from 0 to 9007199254740991"},
    {"a version beyond what JavaScript can count", MOVE(",\"version\":9007199254740992,\"move\":{\"from\":\"e2\",\"to\":\"e4\"}"), REFUSAL_BAD_MESSAGE, "4|version must be from 0 to 9007199254740991"},

    /* action, chat */
    {"resign", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"resign\"}", REFUSAL_NONE, "action 5 k3Qd9x_- resign seat=-"},
    {"abort", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"abort\"}", REFUSAL_NONE, "action 5 k3Qd9x_- abort seat=-"},
    {"offer a draw", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"draw.offer\"}", REFUSAL_NONE, "action 5 k3Qd9x_- draw.offer seat=-"},
    {"accept a rematch", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"rematch.accept\"}", REFUSAL_NONE, "action 5 k3Qd9x_- rematch.accept seat=-"},
    {"claim a result", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"claim.result\"}", REFUSAL_NONE, "action 5 k3Qd9x_- claim.result seat=-"},
    {"claim a win, who is to move having gone", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"claim.timeout\",\"as\":\"win\"}", REFUSAL_NONE, "action 5 k3Qd9x_- claim.timeout seat=-"},
    {"claim a draw likewise", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"claim.timeout\",\"as\":\"draw\"}", REFUSAL_NONE, "action 5 k3Qd9x_- claim.timeout seat=- as a draw"},
    {"claim neither", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"claim.timeout\"}", REFUSAL_BAD_MESSAGE, "5|as is missing"},
    {"claim a defeat", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"claim.timeout\",\"as\":\"loss\"}", REFUSAL_BAD_MESSAGE, "5|as is not one of the words it may be"},
    {"invite a bot to a seat", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\",\"seat\":\"black\"}", REFUSAL_NONE, "action 5 k3Qd9x_- bot.invite seat=black"},
    {"invite a bot to any seat", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\"}", REFUSAL_NONE, "action 5 k3Qd9x_- bot.invite seat=-"},
    {"invite a bot of a level", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\",\"level\":8}", REFUSAL_NONE, "action 5 k3Qd9x_- bot.invite seat=- level=8"},
    {"invite a bot of level 9", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\",\"level\":9}", REFUSAL_BAD_MESSAGE, "5|level must be from 1 to 8"},
    {"invite a bot of level 0", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\",\"level\":0}", REFUSAL_BAD_MESSAGE, "5|level must be from 1 to 8"},
    {"invite a bot of a level in words", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\",\"level\":\"3\"}", REFUSAL_BAD_MESSAGE, "5|level must be an integer"},
    {"invite a bot to no seat", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"bot.invite\",\"seat\":\"\"}", REFUSAL_BAD_MESSAGE, "5|seat must not be empty"},
    {"an action that is none", "{\"type\":\"action\",\"id\":\"5\"," ROOM ",\"kind\":\"sulk\"}", REFUSAL_BAD_MESSAGE, "5|kind is not one of the words it may be"},
    {"an action without a kind", "{\"type\":\"action\",\"id\":\"5\"," ROOM "}", REFUSAL_BAD_MESSAGE, "5|kind is missing"},
    {"chat", "{\"type\":\"chat\",\"id\":\"6\"," ROOM ",\"text\":\"Grüße \\ud83d\\ude00\"}", REFUSAL_NONE, "chat 6 k3Qd9x_- Grüße \xf0\x9f\x98\x80"},
    {"chat of 500 bytes", "{\"type\":\"chat\",\"id\":\"6\"," ROOM ",\"text\":\"" TEN(TEN("12345")) "\"}", REFUSAL_NONE, "chat 6 k3Qd9x_- " TEN(TEN("12345"))},
    {"chat of 501 bytes", "{\"type\":\"chat\",\"id\":\"6\"," ROOM ",\"text\":\"x" TEN(TEN("12345")) "\"}", REFUSAL_BAD_MESSAGE, "6|text must be at most 500 bytes"},
    {"chat of nothing", "{\"type\":\"chat\",\"id\":\"6\"," ROOM ",\"text\":\"\"}", REFUSAL_BAD_MESSAGE, "6|text must not be empty"},
    {"chat in two lines", "{\"type\":\"chat\",\"id\":\"6\"," ROOM ",\"text\":\"a\\nb\"}", REFUSAL_BAD_MESSAGE, "6|text must not contain control characters"},
    {"chat with a delete character", "{\"type\":\"chat\",\"id\":\"6\"," ROOM ",\"text\":\"a\x7f\"}", REFUSAL_BAD_MESSAGE, "6|text must not contain control characters"},

    /* questions */
    {"a hint", "{\"type\":\"hint\",\"id\":\"7\"," ROOM "}", REFUSAL_NONE, "hint 7 k3Qd9x_- -1 1"},
    {"hints after a ply", "{\"type\":\"hint\",\"id\":\"7\"," ROOM ",\"ply\":0,\"lines\":5}", REFUSAL_NONE, "hint 7 k3Qd9x_- 0 5"},
    {"a hint before all plies", "{\"type\":\"hint\",\"id\":\"7\"," ROOM ",\"ply\":-1}", REFUSAL_BAD_MESSAGE, "7|ply must be from 0 to 9007199254740991"},
    {"six hints", "{\"type\":\"hint\",\"id\":\"7\"," ROOM ",\"lines\":6}", REFUSAL_BAD_MESSAGE, "7|lines must be from 1 to 5"},
    {"no hints", "{\"type\":\"hint\",\"id\":\"7\"," ROOM ",\"lines\":0}", REFUSAL_BAD_MESSAGE, "7|lines must be from 1 to 5"},
    {"a hint without a room", "{\"type\":\"hint\",\"id\":\"7\"}", REFUSAL_BAD_MESSAGE, "7|room is missing"},
    {"legal moves", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM "}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- -"},
    {"legal moves of a cell", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":\"e7\"}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- e7"},
    {"legal moves of coordinates", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":{\"x\":1}}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- (x=1)"},
    {"legal moves of a truth", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":true}", REFUSAL_BAD_MESSAGE, "7|cell must be a cell's name or an object of coordinates"},
    {"legal moves of a cell, explained", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":\"e7\",\"explain\":true}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- e7 explain choice=-"},
    {"legal moves not explained", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"explain\":false}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- -"},
    {"a move explained", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":\"e7\",\"to\":{\"x\":1},\"choice\":\"queen\",\"explain\":true}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- e7 explain (x=1) choice=queen"},
    {"all moves explained", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"explain\":true}", REFUSAL_BAD_MESSAGE, "7|cell is missing"},
    {"a move from nowhere explained", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"to\":\"e8\",\"explain\":true}", REFUSAL_NONE, "legal_moves 7 k3Qd9x_- - explain e8 choice=-"},
    {"a move not to be explained", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":\"e7\",\"to\":\"e8\"}", REFUSAL_BAD_MESSAGE, "7|to asks for an explanation"},
    {"an explanation of a number", "{\"type\":\"legal_moves\",\"id\":\"7\"," ROOM ",\"cell\":\"e7\",\"explain\":1}", REFUSAL_BAD_MESSAGE, "7|explain must be true or false"},
    {"history", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"from\":1,\"to\":4}", REFUSAL_NONE, "history 8 k3Qd9x_- 1 4"},
    {"history of a ply", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"ply\":0}", REFUSAL_NONE, "history 8 k3Qd9x_- ply 0"},
    {"history of a ply before the start", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"ply\":-1}", REFUSAL_BAD_MESSAGE, "8|ply must be from 0 to"},
    {"history of a ply in words", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"ply\":\"last\"}", REFUSAL_BAD_MESSAGE, "8|ply must be an integer"},
    {"history of moves", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"moves\":true}", REFUSAL_NONE, "history 8 k3Qd9x_- moves 0"},
    {"history of later moves", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"moves\":true,\"from\":200}", REFUSAL_NONE, "history 8 k3Qd9x_- moves 200"},
    {"history of no moves is that of events", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"moves\":false,\"from\":1,\"to\":4}", REFUSAL_NONE, "history 8 k3Qd9x_- 1 4"},
    {"history of moves, perhaps", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"moves\":1}", REFUSAL_BAD_MESSAGE, "8|moves must be true or false"},
    {"history from zero", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"from\":0,\"to\":4}", REFUSAL_BAD_MESSAGE, "8|from must be from 1 to"},
    {"history backwards", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"from\":4,\"to\":3}", REFUSAL_BAD_MESSAGE, "8|to must not be less than from"},
    {"history without an end", "{\"type\":\"history\",\"id\":\"8\"," ROOM ",\"from\":4}", REFUSAL_BAD_MESSAGE, "8|to is missing"},
    {"sync", "{\"type\":\"sync\",\"id\":\"9\"," ROOM "}", REFUSAL_NONE, "sync 9 k3Qd9x_-"},
    {"resume", "{\"type\":\"resume\",\"id\":\"9\"," ROOM ",\"version\":0}", REFUSAL_NONE, "resume 9 k3Qd9x_- 0"},
    {"resume without a version", "{\"type\":\"resume\",\"id\":\"9\"," ROOM "}", REFUSAL_BAD_MESSAGE, "9|version is missing"},
    {"subscribe to the lobby", "{\"type\":\"lobby.subscribe\",\"id\":\"9\"}", REFUSAL_NONE, "lobby.subscribe 9"},
    {"seek anybody", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\"}", REFUSAL_NONE, "seek 9 chess"},
    {"seek somebody", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"star\",\"players\":3,\"seat\":\"red\",\"name\":\"Ada\",\"as\":\"bot\",\"bots\":false,\"clock\":{\"initial_ms\":5000}}", REFUSAL_NONE,
        "seek 9 star players=3 seat=red name=Ada bot people clock"},
    {"seek with bots", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"bots\":true}", REFUSAL_NONE, "seek 9 chess"},
    {"seek a rated game", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"rated\":true,\"clock\":{\"initial_ms\":5000},\"range\":{\"min\":1400,\"max\":1600}}", REFUSAL_NONE, "seek 9 chess clock rated 1400-1600"},
    {"seek somebody like oneself", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"rated\":true,\"range\":{\"within\":100}}", REFUSAL_NONE, "seek 9 chess rated 0-4000 within 100"},
    {"seek somebody weak", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"rated\":true,\"range\":{\"max\":1600}}", REFUSAL_NONE, "seek 9 chess rated 0-1600"},
    {"seek a range without a rating", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"range\":{\"min\":1400}}", REFUSAL_BAD_MESSAGE, "9|range goes with rated only"},
    {"seek in a range that is none", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"rated\":true,\"range\":{\"min\":1600,\"max\":1400}}", REFUSAL_BAD_MESSAGE, "9|range.min is above range.max"},
    {"seek a god", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"rated\":true,\"range\":{\"min\":4001}}", REFUSAL_BAD_MESSAGE, "9|range.min is not a number from 0 to 4000"},
    {"seek in a range of words", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"rated\":true,\"range\":\"strong\"}", REFUSAL_BAD_MESSAGE, "9|range is not an object"},
    {"seek as servers tell it", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"fox@1\",\"title\":\"Fox\",\"seat\":\"red\",\"seat_number\":7}", REFUSAL_NONE, "seek 9 fox@1 seat=red"},
    {"seek a seat that no game has", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"fox@1\",\"seat_number\":8}", REFUSAL_BAD_MESSAGE, "9|seat_number"},
    {"seek no game", "{\"type\":\"seek\",\"id\":\"9\"}", REFUSAL_BAD_MESSAGE, "9|game is missing"},
    {"seek with some bots", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"bots\":1}", REFUSAL_BAD_MESSAGE, "9|bots must be true or false"},
    {"seek as a cat", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"as\":\"cat\"}", REFUSAL_BAD_MESSAGE, "9|as is not one of the words it may be"},
    {"seek a seat without a name", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"seat\":\"\"}", REFUSAL_BAD_MESSAGE, "9|seat"},
    {"seek with a clock that is none", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"clock\":{}}", REFUSAL_BAD_MESSAGE, "9|clock"},
    {"seek for nobody", "{\"type\":\"seek\",\"id\":\"9\",\"game\":\"chess\",\"players\":0}", REFUSAL_BAD_MESSAGE, "9|players must be from 1 to 8"},
    {"cancel all seeks", "{\"type\":\"seek.cancel\",\"id\":\"9\"}", REFUSAL_NONE, "seek.cancel 9"},
    {"cancel one seek", "{\"type\":\"seek.cancel\",\"id\":\"9\",\"seek\":\"8\"}", REFUSAL_NONE, "seek.cancel 9 8"},
    {"cancel a seek that cannot be", "{\"type\":\"seek.cancel\",\"id\":\"9\",\"seek\":\"a b\"}", REFUSAL_BAD_MESSAGE, "9|seek must be a command's id"},
    {"unsubscribe from the lobby", "{\"type\":\"lobby.unsubscribe\",\"id\":\"9\"}", REFUSAL_NONE, "lobby.unsubscribe 9"},
};
/* clang-format on */

/* ---- a message in words ---- */

struct description {
    char text[DESCRIPTION_BYTES];
    size_t length;
};

static void say(struct description *description, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof description->text - description->length;
    int length = vsnprintf(description->text + description->length, room, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < room);
    description->length += (size_t)length;
}

static void say_text(struct description *description, const char *before, struct text text)
{
    say(description, "%s%.*s", before, text.data == NULL ? 1 : (int)text.length,
        text.data == NULL ? "-" : text.data);
}

static void say_place(struct description *description, const struct place *place)
{
    if (place->name.data != NULL) {
        say_text(description, " ", place->name);
        return;
    }
    for (int i = 0; i < place->coordinate_count; i++) {
        say_text(description, i == 0 ? " (" : " ", place->coordinates[i].name);
        say(description, "=%d", place->coordinates[i].value);
    }
    say(description, ")");
}

static void say_games(struct description *description, const struct message *message)
{
    static const char *const ops[] = {" list", " get", " validate", " publish"};
    say(description, "%s", ops[message->games.op]);
    if (message->games.op == GAMES_GET)
        say_text(description, " ", message->games.game);
    if (message->games.op == GAMES_VALIDATE)
        say_text(description, " ", message->games.definition);
}

static void say_history(struct description *description, const struct message *message)
{
    long long from = message->history.from, to = message->history.to, ply = message->history.ply;
    switch (message->history.ask) {
    case HISTORY_EVENTS:
        say(description, " %lld %lld", from, to);
        break;
    case HISTORY_STATE:
        say(description, " ply %lld", ply);
        break;
    case HISTORY_MOVES:
        say(description, " moves %lld", from);
        break;
    }
}

static void say_create(struct description *description, const struct message *message)
{
    say_text(description, " game=", message->create.game);
    say_text(description, " definition=", message->create.definition);
    say(description, "%s%s",
        message->create.visibility == VISIBILITY_PRIVATE ? " private" : " public",
        message->create.clock != NULL ? " clock" : "");
    if (message->create.players != 0)
        say(description, " players=%d", message->create.players);
    if (message->create.is_fork)
        say(description, " fork=%lld", (long long)message->create.fork_ply);
}

static void say_move(struct description *description, const struct message *message)
{
    if (message->move.move.pass) {
        say(description, " pass");
    } else if (message->move.move.swap) {
        say(description, " swap");
    } else {
        if (message->move.move.placement)
            say(description, " nowhere");
        else
            say_place(description, &message->move.move.from);
        say_place(description, &message->move.move.to);
        say_text(description, " choice=", message->move.move.choice);
    }
    say(description, " version=%lld", (long long)message->move.version);
}

static void say_legal_moves(struct description *description, const struct message *message)
{
    if (message->legal_moves.has_cell)
        say_place(description, &message->legal_moves.cell);
    else
        say(description, " -");
    if (!message->legal_moves.explain)
        return;
    say(description, " explain");
    if (message->legal_moves.has_to)
        say_place(description, &message->legal_moves.to);
    say_text(description, " choice=", message->legal_moves.choice);
}

static void say_seek(struct description *description, const struct message *message)
{
    say_text(description, " ", message->seek.game);
    if (message->seek.players > 0)
        say(description, " players=%d", message->seek.players);
    if (message->seek.seat.data != NULL)
        say_text(description, " seat=", message->seek.seat);
    if (message->seek.name.length > 0)
        say_text(description, " name=", message->seek.name);
    say(description, "%s%s%s", message->seek.as == PLAYER_BOT ? " bot" : "",
        message->seek.no_bots ? " people" : "", message->seek.clock ? " clock" : "");
    if (message->seek.rated)
        say(description, " rated %d-%d", message->seek.rating_min, message->seek.rating_max);
    if (message->seek.rating_within > 0)
        say(description, " within %d", message->seek.rating_within);
}

static void say_fields(struct description *description, const struct message *message)
{
    switch (message->kind) {
    case MESSAGE_AUTH:
        say_text(description, " token=", message->auth.token);
        say(description, "%s", message->auth.no_moves ? " no moves" : "");
        break;
    case MESSAGE_GAMES:
        say_games(description, message);
        break;
    case MESSAGE_CREATE:
        say_create(description, message);
        break;
    case MESSAGE_JOIN:
        say_text(description, message->join.key.data ? " key=" : " seat=",
                 message->join.key.data ? message->join.key : message->join.seat);
        say_text(description, " name=", message->join.name);
        say(description, "%s", message->join.as == PLAYER_BOT ? " bot" : " human");
        break;
    case MESSAGE_MOVE:
        say_move(description, message);
        break;
    case MESSAGE_ACTION:
        say(description, " %s", action_request_word(message->action.kind));
        say_text(description, " seat=", message->action.seat);
        if (message->action.kind == ACTION_REQUEST_CLAIM_TIMEOUT && message->action.as_draw)
            say(description, " as a draw");
        if (message->action.level > 0)
            say(description, " level=%d", message->action.level);
        break;
    case MESSAGE_CHAT:
        say_text(description, " ", message->chat.text);
        break;
    case MESSAGE_LEGAL_MOVES:
        say_legal_moves(description, message);
        break;
    case MESSAGE_HISTORY:
        say_history(description, message);
        break;
    case MESSAGE_HINT:
        say(description, " %lld %d", (long long)message->hint.ply, message->hint.lines);
        break;
    case MESSAGE_RESUME:
        say(description, " %lld", (long long)message->resume.version);
        break;
    case MESSAGE_SEEK:
        say_seek(description, message);
        break;
    case MESSAGE_SEEK_CANCEL:
        if (message->seek_cancel.seek.data != NULL)
            say_text(description, " ", message->seek_cancel.seek);
        break;
    case MESSAGE_PING:
    case MESSAGE_LEAVE:
    case MESSAGE_SYNC:
    case MESSAGE_SEAT_KEY:
    case MESSAGE_LOBBY_SUBSCRIBE:
    case MESSAGE_LOBBY_UNSUBSCRIBE:
    case MESSAGE_KIND_COUNT:
        break;
    }
}

static void describe(struct description *description, const struct message *message)
{
    description->length = 0;
    say(description, "%s", message_kind_word(message->kind));
    say_text(description, " ", message->id);
    if (message->room.data != NULL)
        say_text(description, " ", message->room);
    say_fields(description, message);
}

/* ---- the tests ---- */

/* The text is read from memory of exactly its size, so that reading past its end is seen. */
static void row_means_what_it_says(void **state)
{
    const struct row *row = *state;
    size_t length = strlen(row->text);
    char *text = malloc(length + (length == 0));
    assert_non_null(text);
    memcpy(text, row->text, length);
    struct message message;
    struct message_fault fault;
    struct description description = {.length = 0};
    enum refusal refusal = message_read(text, length, &message, &fault);
    assert_string_equal(refusal_code(refusal), refusal_code(row->refusal));
    if (refusal == REFUSAL_NONE) {
        describe(&description, &message);
        assert_string_equal(description.text, row->expected);
        assert_string_equal(fault.words, "");
        assert_int_equal(strlen(fault.reply_id), message.id.length);
        message_release(&message);
    } else {
        say(&description, "%s|%s", fault.reply_id, fault.words);
        if (strstr(description.text, row->expected) == NULL)
            fail_msg("expected: %s\n    said: %s", row->expected, description.text);
    }
    assert_null(message.document);
    assert_null(message.text);
    free(text);
}

/* A member that nobody knows, whose name is an escape: no plain form has it. */
static void plain_moves_mean_the_same_the_long_way(void **state)
{
    static const char unknown[] = "{\"\\u0020\":0,";
    int plain_count = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct message message;
        struct message_fault fault;
        struct description plain = {.length = 0}, described = {.length = 0};
        if (message_read(rows[i].text, strlen(rows[i].text), &message, &fault) != REFUSAL_NONE)
            continue;
        bool is_plain = message.text != NULL;
        describe(&plain, &message);
        message_release(&message);
        if (!is_plain)
            continue;
        struct writer text;
        writer_init(&text);
        writer_raw(&text, unknown, strlen(unknown));
        writer_raw(&text, strchr(rows[i].text, '{') + 1, strlen(strchr(rows[i].text, '{')) - 1);
        assert_int_equal(message_read(text.data, text.length, &message, &fault), REFUSAL_NONE);
        assert_null(message.text);
        describe(&described, &message);
        assert_string_equal(described.text, plain.text);
        message_release(&message);
        writer_release(&text);
        plain_count++;
    }
    assert_true(plain_count >= 4);
}

static void a_message_is_at_most_16_kibibytes(void **state)
{
    (void)state;
    struct message message;
    struct message_fault fault;
    char *text = malloc(MESSAGE_BYTES_MAX + 1);
    assert_non_null(text);
    memset(text, ' ', MESSAGE_BYTES_MAX + 1);
    memcpy(text, "{\"type\":\"ping\",\"id\":\"1\"}", 24);
    assert_int_equal(message_read(text, MESSAGE_BYTES_MAX, &message, &fault), REFUSAL_NONE);
    message_release(&message);
    assert_int_equal(message_read(text, MESSAGE_BYTES_MAX + 1, &message, &fault), REFUSAL_BAD_JSON);
    assert_string_equal(fault.words, "a message must be at most 16384 bytes");
    free(text);
}

static void a_raw_null_byte_is_not_json(void **state)
{
    (void)state;
    static const char text[] = "{\"type\":\"ping\",\"id\":\"1\"}\0";
    struct message message;
    struct message_fault fault;
    assert_int_equal(message_read(text, sizeof text - 1, &message, &fault), REFUSAL_BAD_JSON);
    assert_int_equal(message_read(text, sizeof text - 2, &message, &fault), REFUSAL_NONE);
    message_release(&message);
}

static void every_truncation_of_every_message_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].refusal != REFUSAL_NONE)
            continue;
        const char *end = strrchr(rows[i].text, '}');
        for (size_t length = 0; length < (size_t)(end - rows[i].text); length++) {
            struct message message;
            struct message_fault fault;
            assert_int_equal(message_read(rows[i].text, length, &message, &fault),
                             REFUSAL_BAD_JSON);
            assert_string_equal(fault.reply_id, "");
        }
    }
}

static void every_refusal_has_a_code_and_words_of_its_own(void **state)
{
    (void)state;
    for (int i = 1; i < REFUSAL_COUNT; i++) {
        assert_true(strlen(refusal_words((enum refusal)i)) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(refusal_code((enum refusal)i), refusal_code((enum refusal)j));
    }
    assert_true(refusal_may_retry(REFUSAL_UNAVAILABLE));
    assert_true(refusal_may_retry(REFUSAL_RATE_LIMITED));
    assert_false(refusal_may_retry(REFUSAL_STALE));
}

/* The table as NDJSON, for those who hold the JSON Schemas against it. */
static int print_rows(void)
{
    struct writer writer;
    writer_init(&writer);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].refusal == REFUSAL_BAD_JSON)
            continue; /* its text need not even be UTF-8 */
        writer_clear(&writer);
        writer_object(&writer);
        writer_key(&writer, "name"), writer_string(&writer, rows[i].name);
        writer_key(&writer, "text"), writer_string(&writer, rows[i].text);
        writer_key(&writer, "refusal"), writer_string(&writer, refusal_code(rows[i].refusal));
        writer_end(&writer);
        puts(writer_text(&writer));
    }
    writer_release(&writer);
    return 0;
}

int main(int argument_count, char **arguments)
{
    if (argument_count == 2 && strcmp(arguments[1], "--rows") == 0)
        return print_rows();
    static struct CMUnitTest tests[ROWS_MAX];
    size_t count = sizeof rows / sizeof rows[0];
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, row_means_what_it_says, NULL, NULL,
                                       (void *)(uintptr_t)&rows[i]};
    const struct CMUnitTest others[] = {
        cmocka_unit_test(a_message_is_at_most_16_kibibytes),
        cmocka_unit_test(a_raw_null_byte_is_not_json),
        cmocka_unit_test(plain_moves_mean_the_same_the_long_way),
        cmocka_unit_test(every_truncation_of_every_message_is_refused),
        cmocka_unit_test(every_refusal_has_a_code_and_words_of_its_own),
    };
    memcpy(tests + count, others, sizeof others);
    count += sizeof others / sizeof others[0];
    return _cmocka_run_group_tests("messages", tests, count, NULL, NULL);
}
